import { oauthScopes } from '@forgelet/core/operations'
import { accountPage, accountUrl, actionButton, newSecret } from '../components/account-page.ts'
import { checkboxes, field, form as postForm, textField } from '../components/field.ts'
import { rows, section } from '../components/rows.ts'
import { findFormError, requireUser, type Submit, seeOther } from '../form.ts'
import { html } from '../html.ts'
import { type PageContent, type PageContext, readNumber, readPageNumber, type View } from '../page-context.ts'

const show = async (
  ctx: PageContext,
  { error, secret }: { readonly error?: string | undefined; readonly secret?: string } = {},
): Promise<PageContent> => {
  requireUser(ctx)
  const action = accountUrl(ctx, 'applications')
  const applications = await ctx.session.applications.list({ page: readPageNumber(ctx) })
  const content = html`${secret !== undefined && newSecret('the secret of the application', secret)}
${rows(ctx, applications, {
  empty: 'No applications.',
  row: ({ id, name, applicationId, redirectUris, confidential }) =>
    html`<span class="title">${name}</span>${confidential && html` <span class="badge">confidential</span>`}
<p class="muted">Id <code>${applicationId}</code>, redirects to ${redirectUris.join(', ')}</p>
${actionButton(action, { name: 'remove', value: id, text: 'Remove', label: `Remove ${name}` })}`,
})}
${section(
  'new-application',
  'New application',
  postForm(
    action,
    'Create application',
    html`${field({ name: 'name', label: 'Name', required: true })}
${textField('redirect_uri', 'Redirect URIs, one on each line')}
${checkboxes(
  'scope',
  'Scopes',
  oauthScopes.map((scope) => ({ value: scope, label: scope, isChosen: scope === 'openid' })),
)}
${checkboxes('confidential', 'Kind', [{ value: '1', label: 'can keep a secret', isChosen: true }])}`,
  ),
)}`
  return accountPage(ctx, { section: 'applications', title: 'Applications', content, error })
}

/** The OAuth applications of the instance, for administrators. */
export const view: View = (ctx) => show(ctx)

/** Creates or removes an application. */
export const submit: Submit = async (ctx, form) => {
  requireUser(ctx)
  const removed = form.get('remove')
  if (removed !== null) {
    const error = await findFormError(() => ctx.session.applications.remove({ application: readNumber(removed) }))
    return error === undefined ? seeOther(accountUrl(ctx, 'applications')) : show(ctx, { error })
  }
  let secret = ''
  const error = await findFormError(async () => {
    const application = await ctx.session.applications.create({
      name: form.get('name') ?? '',
      redirectUri: (form.get('redirect_uri') ?? '').replaceAll('\r\n', '\n').trim(),
      scopes: form.getAll('scope').join(' '),
      confidential: form.has('confidential'),
    })
    secret = application.secret
  })
  return error === undefined ? show(ctx, { secret }) : show(ctx, { error })
}
