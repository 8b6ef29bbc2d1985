import { accountPage, accountUrl, actionButton } from '../components/account-page.ts'
import { field, form as postForm, textField } from '../components/field.ts'
import { rows, section } from '../components/rows.ts'
import { day } from '../components/time.ts'
import { findFormError, requireUser, type Submit, seeOther } from '../form.ts'
import { html } from '../html.ts'
import { type PageContent, type PageContext, readNumber, readPageNumber, type View } from '../page-context.ts'

const show = async (ctx: PageContext, error?: string): Promise<PageContent> => {
  requireUser(ctx)
  const action = accountUrl(ctx, 'keys')
  const [keys, gpgKeys] = await Promise.all([
    ctx.session.keys.list({ page: readPageNumber(ctx) }),
    ctx.session.gpgKeys.list({ page: readPageNumber(ctx, 'gpg_page') }),
  ])
  const sshRows = rows(ctx, keys, {
    empty: 'No SSH keys.',
    row: ({ id, title, key, usageType, createdAt, expiresAt }) =>
      html`<span class="title">${title}</span> <span class="badge">${usageType.replaceAll('_', ' ')}</span>
<p class="muted">${key.split(' ')[0]}, added ${day(createdAt)}${expiresAt !== null && html`, expires ${day(expiresAt)}`}</p>
${actionButton(action, { name: 'remove_key', value: id, text: 'Remove', label: `Remove the key ${title}` })}`,
  })
  const gpgRows = rows(ctx, gpgKeys, {
    empty: 'No GPG keys.',
    parameter: 'gpg_page',
    row: ({ id, createdAt }) =>
      html`<span class="title">GPG key ${id}</span> <span class="muted">added ${day(createdAt)}</span>
${actionButton(action, { name: 'remove_gpg_key', value: id, text: 'Remove', label: `Remove GPG key ${id}` })}`,
  })
  const content = html`${section(
    'ssh',
    'SSH keys',
    html`${sshRows}
${postForm(action, 'Add SSH key', html`${field({ name: 'title', label: 'Title; empty for the comment of the key' })}${textField('key', 'Public key')}`)}`,
  )}
${section(
  'gpg',
  'GPG keys',
  html`${gpgRows}
${postForm(action, 'Add GPG key', textField('gpg_key', 'Public key'))}`,
)}`
  return accountPage(ctx, { section: 'keys', title: 'Keys', content, error })
}

/** The SSH and GPG keys of the visitor, and the forms that add them. */
export const view: View = (ctx) => show(ctx)

/** The change that a form asks for. */
const change = ({ session }: PageContext, form: URLSearchParams): PromiseLike<unknown> => {
  const [removed, removedGpg, gpgKey] = [form.get('remove_key'), form.get('remove_gpg_key'), form.get('gpg_key')]
  if (removed !== null) return session.keys.remove({ key: readNumber(removed) })
  if (removedGpg !== null) return session.gpgKeys.remove({ key: readNumber(removedGpg) })
  if (gpgKey !== null) return session.gpgKeys.create({ key: gpgKey.trim() })
  const title = form.get('title')?.trim() ?? ''
  return session.keys.create({ key: form.get('key')?.trim() ?? '', ...(title !== '' && { title }) })
}

/** Adds or removes a key. */
export const submit: Submit = async (ctx, form) => {
  requireUser(ctx)
  const error = await findFormError(() => change(ctx, form))
  return error === undefined ? seeOther(accountUrl(ctx, 'keys')) : show(ctx, error)
}
