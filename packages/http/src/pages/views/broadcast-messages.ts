import { type Submit, seeOther } from '../form.ts'
import { formatHiddenMessages, readHiddenMessages } from '../hidden-messages.ts'
import { readNumber, redirectTo, type View } from '../page-context.ts'
import { readReturnPath } from '../sign-in-reply.ts'

/** The form is on every page that shows a message; its address leads to the first page. */
export const view: View = async (ctx) => redirectTo(`${ctx.base}/`)

/** Hides a message in this browser. */
export const submit: Submit = async (ctx, form) => {
  const id = readNumber(form.get('hide') ?? undefined)
  const hidden = readHiddenMessages(ctx.request.header)
  const location = ctx.base + readReturnPath(form.get('return_to'))
  return seeOther(location, { 'Set-Cookie': formatHiddenMessages(hidden, id, ctx.base) })
}
