import type { Ask } from '../app.ts'
import { assetText, textReply } from '../pages/asset.ts'
import { ownPagePolicy } from '../pages/security-policy.ts'
import type { Reply } from '../reply.ts'

const parts: Readonly<Record<string, string>> = {
  '/_forgelet/live.css': 'live.css',
  '/_forgelet/live.js': 'live.js',
  '/_forgelet/icon.svg': 'icon.svg',
}

const wantsPage = ({ header }: Ask) => /\btext\/html\b/i.test(header('accept') ?? '')

/**
 * The page at `/_forgelet` on which people watch a world and hold it in their hands. It holds nothing of that world itself: all
 * of it comes from the other addresses of the control plane, which want the token. Undefined for everything else.
 */
export async function livePage(ask: Ask, path: string): Promise<Reply | undefined> {
  if (ask.method !== 'GET' && ask.method !== 'HEAD') return undefined
  const part = parts[path]
  if (part !== undefined) return textReply(ask, part, await assetText(part))
  if (!wantsPage(ask)) return undefined
  // Its parts are found from the address without the slash.
  if (path === '/_forgelet/') return { status: 308, headers: { Location: '../_forgelet' } }
  if (path !== '/_forgelet') return undefined
  const headers = { Vary: 'Accept', 'Content-Security-Policy': ownPagePolicy }
  return textReply(ask, 'live.html', await assetText('live.html'), headers)
}
