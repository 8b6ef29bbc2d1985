import { isPlatformError } from '@forgelet/core'
import { readForm } from '../form.ts'
import { html } from '../html.ts'
import { keyHeaders, type View } from '../page-context.ts'

/** What the link in a mail to a user without a password opens. */
export const view: View = async (ctx, { key = '' }) => {
  let problem: string | undefined
  const { minimumPasswordLength } = await ctx.readSettings()
  if (ctx.request.method === 'POST') {
    const form = await readForm(ctx.request)
    try {
      await ctx.service.passwords.reset({ key, password: form.get('password') ?? '' })
      const body = html`<h1>Password changed</h1>
<p><a class="button" href="${ctx.url('-/sign_in')}">Sign in</a></p>`
      return { title: 'Password changed', body, headers: keyHeaders }
    } catch (error) {
      if (!isPlatformError(error) || (error.code !== 'invalid_input' && error.code !== 'invalid')) throw error
      problem = error.code === 'invalid' ? error.message : `A password has ${minimumPasswordLength} to 128 characters.`
    }
  }
  const body = html`<h1>Change your password</h1>
${problem !== undefined && html`<p class="error" role="alert">${problem}</p>`}
<form method="post" class="sign-in">
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="${minimumPasswordLength}" maxlength="128" required>
<button type="submit">Change the password</button>
</form>`
  return { title: 'Change your password', body, status: problem === undefined ? 200 : 400, headers: keyHeaders }
}
