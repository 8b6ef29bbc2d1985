import { PlatformError } from '@forgelet/core'
import { readForm } from '../form.ts'
import { html } from '../html.ts'
import { keyHeaders, type View } from '../page-context.ts'
import { isSameOrigin } from '../sign-in-reply.ts'

/** The form of users who have forgotten their password. The reply is the same for addresses without a user. */
export const view: View = async (ctx) => {
  const { hasReset } = await ctx.readSettings()
  if (!ctx.hasSignIn || !hasReset) throw new PlatformError('not_found', 'Not found')
  if (ctx.request.method === 'POST') {
    if (!isSameOrigin(ctx.request, ctx.siteUrl))
      throw new PlatformError('forbidden', 'The form is not from this server')
    const form = await readForm(ctx.request)
    await ctx.service.passwords.requestReset({ email: form.get('email')?.slice(0, 255) ?? '' })
    const body = html`<h1>Look at your e-mail</h1>
<p>If a user has this address, a message with a link to set a new password is on its way.</p>`
    return { title: 'Look at your e-mail', body, headers: keyHeaders }
  }
  const body = html`<h1>Reset your password</h1>
<form method="post" class="sign-in">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="255" required>
<button type="submit">Send a link</button>
</form>`
  return { title: 'Reset your password', body, headers: keyHeaders }
}
