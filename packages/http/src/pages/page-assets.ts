import type { Reply } from '../reply/reply.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { getMediaType, readAsset } from './asset.ts'
import { createStaticContent, replyWithContent, type StaticContent } from './content-encoding.ts'

/** Files that every page loads. */
type AssetName = 'site.css' | 'icon.svg'

const names: readonly AssetName[] = ['site.css', 'icon.svg']

const assetPrefix = '/-/assets/'

const contents = new Map<AssetName, Promise<StaticContent>>()

const loadContent = (name: AssetName): Promise<StaticContent> => {
  const content = contents.get(name) ?? readAsset(name).then(createStaticContent)
  contents.set(name, content)
  return content
}

/** The path of a file, below the site's path. It contains the hash of its content. */
export const getAssetPath = async (name: AssetName): Promise<string> =>
  `${assetPrefix}${(await loadContent(name)).tag}/${name}`

/** Replies with a file; undefined for other paths. Its URL changes with its content, so browsers keep it. */
export const replyWithAsset = async (request: IncomingRequest, path: string): Promise<Reply | undefined> => {
  const name = path.startsWith(assetPrefix) ? names.find((one) => path.endsWith(`/${one}`)) : undefined
  if (name === undefined || path !== (await getAssetPath(name))) return undefined
  return replyWithContent(request, await loadContent(name), {
    'Content-Type': getMediaType(name),
    'Cache-Control': 'public, max-age=31536000, immutable',
  })
}
