import { accountPage, accountUrl, actionButton } from '../components/account-page.ts'
import { field, form as postForm } from '../components/field.ts'
import { details, rows, section } from '../components/rows.ts'
import { day } from '../components/time.ts'
import { userLink } from '../components/user.ts'
import { findFormError, requireUser, type Submit, seeOther } from '../form.ts'
import { html } from '../html.ts'
import { type PageContent, type PageContext, readNumber, readPageNumber, type View } from '../page-context.ts'
import { endSession } from '../session-cookie.ts'
import { checkPassword, createSessionCookie } from '../sign-in-reply.ts'

const passwordForm = (ctx: PageContext, minimumLength: number) =>
  section(
    'password',
    'Password',
    html`${ctx.query.get('changed') === 'password' && html`<p role="status">The password was changed.</p>`}
${postForm(
  accountUrl(ctx, 'account'),
  'Change password',
  html`${field({ name: 'current_password', label: 'Current password', type: 'password', autocomplete: 'current-password', required: true })}
${field({ name: 'password', label: `New password, at least ${minimumLength} characters`, type: 'password', autocomplete: 'new-password', required: true })}
${field({ name: 'password_confirmation', label: 'New password again', type: 'password', autocomplete: 'new-password', required: true })}`,
)}`,
  )

const authorizedApplications = async (ctx: PageContext) => {
  const applications = await ctx.session.applications.listAuthorized({ page: readPageNumber(ctx) })
  return section(
    'authorized-applications',
    'Authorized applications',
    rows(ctx, applications, {
      empty: 'No applications.',
      row: ({ id, name, authorizedAt }) => html`<span class="title">${name}</span>
<p class="muted">Authorized ${day(authorizedAt)}</p>
${actionButton(accountUrl(ctx, 'account'), { name: 'revoke', value: id, text: 'Revoke', label: `Revoke ${name}` })}`,
    }),
  )
}

const show = async (ctx: PageContext, error?: string): Promise<PageContent> => {
  const { name, username } = requireUser(ctx)
  const { hasPasswords, minimumPasswordLength } = await ctx.readSettings()
  const content = html`${details({ Name: userLink(ctx, { name, username }), Username: `@${username}` })}
${ctx.hasSignIn && hasPasswords && passwordForm(ctx, minimumPasswordLength)}
${await authorizedApplications(ctx)}`
  return accountPage(ctx, { section: 'account', title: 'Account', content, error })
}

/** The account of the visitor, with the form that changes the password, and the applications that may use the account. */
export const view: View = (ctx) => show(ctx)

/** Revokes the authorization of an application, or changes the password. Other sessions that began with the old one end; this one continues. */
export const submit: Submit = async (ctx, form, platform) => {
  const { username } = requireUser(ctx)
  const revoked = form.get('revoke')
  if (revoked !== null) {
    const error = await findFormError(() => ctx.session.applications.revoke({ application: readNumber(revoked) }))
    return error === undefined ? seeOther(accountUrl(ctx, 'account')) : show(ctx, error)
  }
  const [current = '', password = ''] = [form.get('current_password') ?? '', form.get('password') ?? '']
  if (password !== form.get('password_confirmation')) return show(ctx, 'The new passwords differ.')
  const known = await checkPassword(ctx, { username, password: current })
  if (typeof known === 'string') return show(ctx, 'The current password is wrong.')
  const error = await findFormError(() => ctx.session.passwords.set({ password }))
  if (error !== undefined) return show(ctx, error)
  await endSession(platform, ctx.request.header)
  const signIn = await checkPassword(ctx, { username, password })
  const cookie = typeof signIn === 'string' ? undefined : await createSessionCookie(platform, signIn, ctx)
  const location = `${accountUrl(ctx, 'account')}?changed=password`
  return seeOther(location, cookie === undefined ? {} : { 'Set-Cookie': cookie })
}
