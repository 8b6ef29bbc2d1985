import { readNumber, type View } from '../page-context.ts'
import { createRawHeaders } from '../raw-content.ts'

/** The text of a snippet, or of one of its files. */
export const view: View = async (ctx, { id, ref, filePath }) => {
  const file = filePath === undefined ? {} : { ref, filePath }
  const { content, fileName } = await ctx.session.snippets.getRaw({ snippet: readNumber(id), ...file })
  return { status: 200, bytes: content, headers: createRawHeaders(filePath === undefined ? 'snippet.txt' : fileName) }
}
