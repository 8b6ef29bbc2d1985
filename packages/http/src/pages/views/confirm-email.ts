import { html } from '../html.ts'
import { keyHeaders, type View } from '../page-context.ts'

/** What the link in a mail to a new address opens. */
export const view: View = async (ctx, { key = '' }) => {
  if (ctx.request.method === 'POST') {
    await ctx.session.emails.confirm({ key })
    const body = html`<h1>Confirmed</h1>
<p>The address belongs to your account now.</p>`
    return { title: 'Confirmed', body, headers: keyHeaders }
  }
  const body = html`<h1>Confirm your address</h1>
<form method="post"><button type="submit">Confirm</button></form>`
  return { title: 'Confirm your address', body, headers: keyHeaders }
}
