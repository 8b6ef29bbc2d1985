import type { Middleware } from '../app/middleware.ts'
import type { Reply } from '../reply/reply.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { splitTarget } from '../request/target.ts'
import { acceptsHtml, createTextReply, readAsset } from './asset.ts'
import { bundleEntry, findReferenceBundle, type ReferenceBundle } from './reference-bundle.ts'
import { pagePolicy, referencePolicy } from './security-policy.ts'

/** Below `/-/`, like the operator endpoints, which are not part of the API either. */
const assetPrefix = '/-/reference/'

const assets = new Set(['reference.js', 'pages.css', 'icon.svg'])

const createPageReply = async (
  request: IncomingRequest,
  bundle: ReferenceBundle | undefined,
  root: string,
  linksToControlPage: boolean,
): Promise<Reply> => {
  const headers = { Vary: 'Accept', 'Content-Security-Policy': bundle ? referencePolicy : pagePolicy }
  const name = bundle ? 'reference.html' : 'links.html'
  const html = await readAsset(name)
  const values = {
    bundle: bundle ? `${root}${assetPrefix.slice(1)}${bundle.version}/${bundleEntry}` : '',
    control: String(linksToControlPage),
    root,
  }
  const text = html.replace(/\{(bundle|control|root)\}/g, (_, key: keyof typeof values) => values[key])
  return createTextReply(request, name, text, headers)
}

const createAssetReply = async (
  request: IncomingRequest,
  name: string,
  bundle: ReferenceBundle | undefined,
): Promise<Reply | undefined> => {
  if (assets.has(name)) return createTextReply(request, name, await readAsset(name))
  const bundlePrefix = `${bundle?.version}/`
  return name.startsWith(bundlePrefix) ? bundle?.reply(request, name.slice(bundlePrefix.length)) : undefined
}

/**
 * The API reference: an HTML page, generated from `/api/v4/openapi.json`, for clients that accept HTML. It loads
 * nothing from other servers. The outermost middleware, so that faults do not affect it and the journal omits it.
 *
 * @param atRoot whether the page is also at `/`
 * @param linksToControlPage whether the server has a control page
 */
export function createReferencePage(
  {
    atRoot = false,
    linksToControlPage = false,
  }: { readonly atRoot?: boolean; readonly linksToControlPage?: boolean } = {},
  findBundle: () => Promise<ReferenceBundle | undefined> = findReferenceBundle,
): Middleware {
  const isPagePath = (path: string) => path === '/-/reference' || (atRoot && path === '/')
  let bundle: Promise<ReferenceBundle | undefined> | undefined
  const createReply = async (request: IncomingRequest, path: string): Promise<Reply | undefined> => {
    bundle ??= findBundle()
    const isPage = isPagePath(path)
    // The page refers to its files relative to itself, because proxies can add a prefix to all paths.
    const reply = isPage
      ? await createPageReply(request, await bundle, path === '/' ? '' : '../', linksToControlPage)
      : await createAssetReply(request, path.slice(assetPrefix.length), await bundle)
    return reply && { ...reply, log: { route: isPage ? path : assetPrefix } }
  }
  return (next) => (request) => {
    const { method } = request
    const { path } = splitTarget(request.target)
    const isReference = isPagePath(path) ? acceptsHtml(request) : path.startsWith(assetPrefix)
    if (!isReference || (method !== 'GET' && method !== 'HEAD')) return next(request)
    return createReply(request, path).then((reply) => reply ?? next(request))
  }
}
