import { form as postForm } from '../components/field.ts'
import { renderTexts } from '../components/markdown.ts'
import { type Submit, seeOther } from '../form.ts'
import { html } from '../html.ts'
import type { View } from '../page-context.ts'
import { readReturnPath } from '../sign-in-reply.ts'

/** The terms of service, with the form that accepts them. */
export const view: View = async (ctx) => {
  const { text, mustAccept } = await ctx.session.terms.get()
  const [rendered] = await renderTexts(ctx, [text])
  const returnPath = readReturnPath(ctx.query.get('return_to'))
  const body = html`<h1>Terms of service</h1>
<div class="markdown">${rendered}</div>
${
  mustAccept
    ? postForm(
        ctx.url('-/users/terms'),
        'Accept the terms',
        html`<input type="hidden" name="return_to" value="${returnPath}">`,
      )
    : html`<p class="muted">${text ? 'You have accepted the terms.' : 'There are no terms.'}</p>`
}`
  return { title: 'Terms of service', body }
}

/** Accepts the terms, and leads to the page that required it. */
export const submit: Submit = async (ctx, form) => {
  await ctx.session.terms.accept()
  return seeOther(ctx.base + readReturnPath(form.get('return_to')))
}
