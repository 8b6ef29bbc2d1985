import { acceptsHtml, createTextReply, readAsset } from '../pages/asset.ts'
import { pagePolicy } from '../pages/security-policy.ts'
import type { Reply } from '../reply/reply.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'

/** In the folder `assets/control`; served below `/_forgelet/page/`. */
const assets: ReadonlySet<string> = new Set([
  'base.css',
  'details.css',
  'panels.css',
  'requests.css',
  'clock.js',
  'deliveries.js',
  'dom.js',
  'events.js',
  'exchange.js',
  'faults.js',
  'lists.js',
  'mail.js',
  'page.js',
  'requests.js',
  'server.js',
  'snapshots.js',
])

const assetPrefix = '/_forgelet/page/'

const createAssetReply = async (request: IncomingRequest, name: string): Promise<Reply | undefined> => {
  if (name === 'icon.svg') return createTextReply(request, name, await readAsset(name))
  return assets.has(name) ? createTextReply(request, name, await readAsset(`control/${name}`)) : undefined
}

/**
 * The web page of the control plane at `/_forgelet`. It contains no data: scripts load all data from the other routes of the
 * control plane, which require the token. Undefined for other paths.
 *
 * @param linksToReference whether the server has an API reference
 */
export async function createControlPageReply(
  request: IncomingRequest,
  path: string,
  linksToReference: boolean,
): Promise<Reply | undefined> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
  if (path.startsWith(assetPrefix)) return createAssetReply(request, path.slice(assetPrefix.length))
  if (!acceptsHtml(request)) return undefined
  // The page refers to its assets relative to the URL without a trailing slash.
  if (path === '/_forgelet/') return { status: 308, headers: { Location: '../_forgelet' } }
  if (path !== '/_forgelet') return undefined
  const html = await readAsset('control/page.html')
  const headers = { Vary: 'Accept', 'Content-Security-Policy': pagePolicy }
  return createTextReply(request, 'page.html', html.replaceAll('{reference}', String(linksToReference)), headers)
}
