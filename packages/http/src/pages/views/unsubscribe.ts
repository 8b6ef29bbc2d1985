import { html } from '../html.ts'
import { keyHeaders, type View } from '../page-context.ts'

/** What the link in a mail opens. Programs send the form without showing it (RFC 8058). */
export const view: View = async (ctx, { key = '' }) => {
  if (ctx.request.method === 'POST') {
    await ctx.session.notifications.unsubscribe({ key })
    const body = html`<h1>Unsubscribed</h1>
<p>You receive no more e-mails about this thread, except when somebody mentions you.</p>`
    return { title: 'Unsubscribed', body, headers: keyHeaders }
  }
  const body = html`<h1>Unsubscribe</h1>
<p>You will receive no more e-mails about this thread, except when somebody mentions you.</p>
<form method="post"><button type="submit">Unsubscribe</button></form>`
  return { title: 'Unsubscribe', body, headers: keyHeaders }
}
