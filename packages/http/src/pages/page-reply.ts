import { hash } from 'node:crypto'
import type { Reply } from '../reply/reply.ts'
import { layout } from './components/layout.ts'
import { getAssetPath } from './page-assets.ts'
import type { PageContent, PageContext } from './page-context.ts'
import { readablePagePolicy } from './security-policy.ts'
import { loadSiteMessages } from './site-messages.ts'

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': readablePagePolicy,
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
}

/** Every visitor sees other content. */
export const privateHeaders = { 'Cache-Control': 'private, no-cache', Vary: 'Accept, Cookie' }

/** Permits one element with styles: the colors that the instance has chosen. */
const withStyle = (policy: string, source: string | undefined): string =>
  source === undefined ? policy : policy.replace("style-src 'self'", `style-src 'self' ${source}`)

/** The complete document of a page. */
export const toPageReply = async (ctx: PageContext, content: PageContent): Promise<Reply> => {
  const { status = 200 } = content
  const messages = await loadSiteMessages(ctx)
  const bytes = layout(ctx, content, messages, {
    styleSheet: await getAssetPath('site.css'),
    icon: await getAssetPath('icon.svg'),
  }).toString()
  const tag = status === 200 ? { ETag: `W/"${hash('sha1', bytes, 'base64url')}"` } : undefined
  const headers = { ...pageHeaders, ...privateHeaders, ...tag, ...content.headers }
  const policy = withStyle(headers['Content-Security-Policy'], messages.styleSource)
  return { status, bytes, headers: { ...headers, 'Content-Security-Policy': policy } }
}
