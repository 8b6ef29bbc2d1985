import { PlatformError } from '@forgelet/core'
import { renderTexts } from '../components/markdown.ts'
import { type Html, html } from '../html.ts'
import type { View } from '../page-context.ts'
import { redirectingPagePolicy } from '../security-policy.ts'
import { readReturnPath } from '../sign-in-reply.ts'

const errors: Readonly<Record<string, string>> = {
  token: 'The token is unknown, expired or revoked.',
  password: 'The username or the password is wrong.',
  disabled: 'Sign-in with a password is turned off.',
  scope: 'The token does not permit reading: it needs the scope read_api or api.',
  provider: 'The sign-in at the identity provider has failed. Try again.',
  flow: 'The sign-in at the identity provider was not started in this browser, or took too long. Try again.',
  unlinked: 'No user may sign in with this account of the identity provider.',
  taken: 'A user with this e-mail address exists. An administrator can link it to the identity provider.',
  key: 'This server has no key to encrypt sessions with. Its operator can set one with the option secretKey.',
}

const userForm = (action: string, returnPath: string, users: readonly string[]): Html | false =>
  users.length > 0 &&
  html`<h2>Users of this test server</h2>
<form method="post" action="${action}"><input type="hidden" name="return_to" value="${returnPath}">
<ul class="users">${users.map((user) => html`<li><button type="submit" name="user" value="${user}">${user}</button></li>`)}</ul></form>`

const passwordForm = (action: string, returnPath: string, resetUrl: string | undefined): Html =>
  html`<form method="post" action="${action}" class="sign-in">
<input type="hidden" name="return_to" value="${returnPath}">
<label for="username">Username</label>
<input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button type="submit">Sign in</button>
</form>
${resetUrl !== undefined && html`<p><a href="${resetUrl}">Forgot your password?</a></p>`}
<h2>With a token</h2>`

const formatLifetime = (minutes: number) => {
  if (minutes === 0) return ' until it closes'
  const [count, unit] = minutes % 1_440 === 0 ? [minutes / 1_440, 'day'] : [minutes, 'minute']
  return `, for ${count} ${unit}${count === 1 ? '' : 's'}`
}

/** The forms for a password, if users have any, and for a token, and on test servers the users to choose from. */
export const view: View = async (ctx) => {
  if (!ctx.hasSignIn) throw new PlatformError('not_found', 'Not found')
  const returnPath = readReturnPath(ctx.query.get('return_to'))
  const action = ctx.url('-/sign_in')
  const message = errors[ctx.query.get('error') ?? '']
  const { hasPasswords, hasSignUp, hasReset, appearance, signInText, sessionExpireDelay } = await ctx.readSettings()
  const [description, text] = await renderTexts(ctx, [appearance.description, signInText])
  const body = html`${
    appearance.logo !== null &&
    html`<p><img src="${ctx.base}${appearance.logo}" alt="" height="96"></p>
`
  }<h1>${appearance.title || 'Sign in'}</h1>
${description !== undefined && html`<div class="markdown">${description}</div>`}
${text !== undefined && html`<div class="markdown">${text}</div>`}
${message !== undefined && html`<p class="error" role="alert">${message}</p>`}
${
  ctx.identityProvider &&
  html`<p><a class="button" href="${ctx.base}${ctx.identityProvider.path}?${new URLSearchParams({ return_to: returnPath }).toString()}">Sign in with ${ctx.identityProvider.label}</a></p>
`
}${hasPasswords && passwordForm(action, returnPath, hasReset ? ctx.url('-/password/new') : undefined)}
<form method="post" action="${action}" class="sign-in">
<input type="hidden" name="return_to" value="${returnPath}">
<label for="token">Personal access token</label>
<input id="token" name="token" type="password" autocomplete="off" required>
<button type="submit">Sign in</button>
<p class="muted">The token needs the scope <code>read_api</code> or <code>api</code>. It is stored encrypted in a cookie of this browser${formatLifetime(sessionExpireDelay)}.</p>
</form>
${hasSignUp && html`<p><a href="${ctx.url('-/sign_up')}">Create an account</a></p>`}
${userForm(action, returnPath, Object.keys(ctx.request.signInUsers ?? {}))}`
  const headers = returnPath.startsWith('/oauth/') ? { 'Content-Security-Policy': redirectingPagePolicy } : {}
  return { title: 'Sign in', body, headers }
}
