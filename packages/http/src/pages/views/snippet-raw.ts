import { readNumber, type View } from '../page-context.ts'
import { createRawHeaders } from '../raw-content.ts'

/** The text of a snippet. */
export const view: View = async (ctx, { id }) => {
  const { content } = await ctx.session.snippets.getRaw({ snippet: readNumber(id) })
  return { status: 200, bytes: content, headers: createRawHeaders('snippet.txt') }
}
