import type { View } from '../page-context.ts'
import { createRawHeaders } from '../raw-content.ts'

/** An uploaded file, at the address that images in the events of webhooks have. */
export const view: View = async (ctx, { project = '', secret = '', fileName = '' }) => {
  const { content, size } = await ctx.session.uploads.get({ project, secret, fileName })
  return { status: 200, bytes: content, headers: { ...createRawHeaders(fileName), 'Content-Length': String(size) } }
}
