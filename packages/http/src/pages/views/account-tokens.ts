import { scopes, type Token } from '@forgelet/core/operations'
import { accountPage, accountUrl, actionButton, newSecret } from '../components/account-page.ts'
import { checkboxes, field, form as postForm } from '../components/field.ts'
import { rows, section } from '../components/rows.ts'
import { day } from '../components/time.ts'
import { findFormError, requireUser, type Submit, seeOther } from '../form.ts'
import { type Html, html } from '../html.ts'
import { type PageContent, type PageContext, readNumber, readPageNumber, type View } from '../page-context.ts'

const tokenRow = (ctx: PageContext, { id, name, scopes: granted, createdAt, lastUsedAt, expiresAt }: Token): Html =>
  html`<span class="title">${name}</span> ${granted.map((scope) => html`<span class="badge">${scope}</span> `)}
<p class="muted">Created ${day(createdAt)}, ${lastUsedAt === null ? 'never used' : html`last used ${day(lastUsedAt)}`}, ${expiresAt === null ? 'does not expire' : `valid before ${expiresAt}`}</p>
${actionButton(accountUrl(ctx, 'tokens'), { name: 'revoke', value: id, text: 'Revoke', label: `Revoke ${name}` })}`

const creationForm = (ctx: PageContext): Html => {
  const choices = scopes
    .filter((scope) => scope !== 'sudo' || ctx.viewer?.admin === true)
    .map((scope) => ({ value: scope, label: scope, isChosen: false }))
  return section(
    'new-token',
    'New token',
    postForm(
      accountUrl(ctx, 'tokens'),
      'Create token',
      html`${field({ name: 'name', label: 'Name', required: true })}
${field({ name: 'expires_at', label: 'First day without access; empty for none', type: 'date' })}
${checkboxes('scope', 'Scopes', choices)}`,
    ),
  )
}

const show = async (
  ctx: PageContext,
  { error, secret }: { readonly error?: string | undefined; readonly secret?: string } = {},
): Promise<PageContent> => {
  const { id } = requireUser(ctx)
  const page = readPageNumber(ctx)
  const tokens = await ctx.session.tokens.list({ user: id, impersonation: false, state: 'active', page })
  const content = html`${secret !== undefined && newSecret('the token', secret)}
${rows(ctx, tokens, { empty: 'No active tokens.', row: (token) => tokenRow(ctx, token) })}
${creationForm(ctx)}`
  return accountPage(ctx, { section: 'tokens', title: 'Personal access tokens', content, error })
}

/** The active tokens of the visitor, and the form that creates one. */
export const view: View = (ctx) => show(ctx)

/** Creates or revokes a token. */
export const submit: Submit = async (ctx, form) => {
  requireUser(ctx)
  const revoked = form.get('revoke')
  if (revoked !== null) {
    const error = await findFormError(() => ctx.session.tokens.revoke({ token: readNumber(revoked) }))
    return error === undefined ? seeOther(accountUrl(ctx, 'tokens')) : show(ctx, { error })
  }
  const chosen = scopes.filter((scope) => form.getAll('scope').includes(scope))
  if (chosen.length === 0) return show(ctx, { error: 'Choose at least one scope.' })
  const [name, expiresAt] = [form.get('name') ?? '', form.get('expires_at') || null]
  let secret = ''
  const error = await findFormError(async () => {
    const token = await ctx.session.tokens.create({ name, scopes: chosen, expiresAt })
    secret = token.secret
  })
  return error === undefined ? show(ctx, { secret }) : show(ctx, { error })
}
