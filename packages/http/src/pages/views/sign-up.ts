import { PlatformError } from '@forgelet/core'
import { field, form as postForm } from '../components/field.ts'
import { renderTexts } from '../components/markdown.ts'
import { findFormError, type Submit } from '../form.ts'
import { html } from '../html.ts'
import type { PageContent, PageContext, View } from '../page-context.ts'

const fields = ['name', 'username', 'email'] as const

const show = async (ctx: PageContext, form = new URLSearchParams(), error?: string): Promise<PageContent> => {
  const { hasSignUp, minimumPasswordLength } = await ctx.readSettings()
  if (!ctx.hasSignIn || !hasSignUp) throw new PlatformError('not_found', 'Not found')
  const [name = '', username = '', email = ''] = fields.map((one) => form.get(one) ?? '')
  const body = html`<h1>Create an account</h1>
${error !== undefined && html`<p class="error" role="alert">${error}</p>`}
${postForm(
  ctx.url('-/sign_up'),
  'Create account',
  html`${field({ name: 'name', label: 'Name', value: name, autocomplete: 'name', required: true })}
${field({ name: 'username', label: 'Username', value: username, autocomplete: 'username', required: true })}
${field({ name: 'email', label: 'E-mail', type: 'email', value: email, autocomplete: 'email', required: true })}
${field({ name: 'password', label: `Password, at least ${minimumPasswordLength} characters`, type: 'password', autocomplete: 'new-password', required: true })}`,
)}
<p><a href="${ctx.url('-/sign_in')}">Sign in with an account that you have</a></p>`
  return { title: 'Create an account', body, ...(error !== undefined && { status: 422 }) }
}

/** The form with which visitors create an account, if the settings permit it. */
export const view: View = (ctx) => show(ctx)

/** Creates the account, and shows the text of the settings for new users. */
export const submit: Submit = async (ctx, form) => {
  let isPending = false
  const error = await findFormError(async () => {
    const input = {
      name: form.get('name') ?? '',
      username: form.get('username')?.trim() ?? '',
      email: form.get('email')?.trim() ?? '',
      password: form.get('password') ?? '',
    }
    isPending = (await ctx.service.passwords.createAccount(input)).pendingApproval
  })
  if (error !== undefined) return show(ctx, form, error)
  const [text] = await renderTexts(ctx, [(await ctx.readSettings()).afterSignUpText])
  const body = html`<h1>Account created</h1>
${text !== undefined && html`<div class="markdown">${text}</div>`}
${
  isPending
    ? html`<p>You can sign in when an administrator has approved your account.</p>`
    : html`<p><a class="button" href="${ctx.url('-/sign_in')}">Sign in</a></p>`
}`
  return { title: 'Account created', body }
}
