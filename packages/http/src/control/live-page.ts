import { acceptsHtml, createTextReply, readAsset } from '../pages/asset.ts'
import { pagePolicy } from '../pages/security-policy.ts'
import type { Reply } from '../reply/reply.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'

const assets: Readonly<Record<string, string>> = {
  '/_forgelet/live.css': 'live.css',
  '/_forgelet/live.js': 'live.js',
  '/_forgelet/icon.svg': 'icon.svg',
}

/**
 * The web page of the control plane at `/_forgelet`. It contains no data: scripts load all data from the other routes of the
 * control plane, which require the token. Undefined for other paths.
 */
export async function createLivePageReply(request: IncomingRequest, path: string): Promise<Reply | undefined> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
  const asset = assets[path]
  if (asset !== undefined) return createTextReply(request, asset, await readAsset(asset))
  if (!acceptsHtml(request)) return undefined
  // The page refers to its assets relative to the URL without a trailing slash.
  if (path === '/_forgelet/') return { status: 308, headers: { Location: '../_forgelet' } }
  if (path !== '/_forgelet') return undefined
  const headers = { Vary: 'Accept', 'Content-Security-Policy': pagePolicy }
  return createTextReply(request, 'live.html', await readAsset('live.html'), headers)
}
