import { html } from '../html.ts'
import { keyHeaders, type View } from '../page-context.ts'

/** What the link in an invitation opens: a signed-in visitor accepts it. */
export const view: View = async (ctx, { key = '' }) => {
  if (ctx.request.method === 'POST') {
    await ctx.session.invitations.accept({ key })
    const body = html`<h1>Accepted</h1>
<p>You are a member now. <a href="${ctx.url()}">Continue</a></p>`
    return { title: 'Accepted', body, headers: keyHeaders }
  }
  const signIn = `${ctx.url('-/sign_in')}?return_to=${encodeURIComponent(`/-/invites/${key}`)}`
  const form = html`<form method="post"><button type="submit">Accept</button></form>`
  const body = html`<h1>Invitation</h1>
${ctx.viewer ? form : html`<p><a href="${signIn}">Sign in</a> to accept the invitation.</p>`}`
  return { title: 'Invitation', body, headers: keyHeaders }
}
