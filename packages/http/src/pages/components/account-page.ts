import { type Html, html } from '../html.ts'
import type { PageContent, PageContext } from '../page-context.ts'

export type AccountSection = 'account' | 'tokens' | 'keys' | 'notifications' | 'applications'

const sections: readonly (readonly [AccountSection, string])[] = [
  ['account', 'Account'],
  ['tokens', 'Tokens'],
  ['keys', 'Keys'],
  ['notifications', 'Notifications'],
]

/** The address of a page of the account. */
export const accountUrl = (ctx: PageContext, section: AccountSection): string =>
  section === 'account' ? ctx.url('-/account') : ctx.url('-/account', section)

interface AccountContent {
  readonly section: AccountSection
  readonly title: string
  readonly content: Html
  /** Why a form was refused. */
  readonly error?: string | undefined
}

/** A page of the account, with the navigation between them. It is never stored: it can contain a new secret. */
export const accountPage = (ctx: PageContext, { section, title, content, error }: AccountContent): PageContent => {
  const all = ctx.viewer?.admin === true ? ([...sections, ['applications', 'Applications']] as const) : sections
  return {
    title,
    ...(error !== undefined && { status: 422 }),
    headers: { 'Cache-Control': 'no-store' },
    body: html`<nav class="sections" aria-label="Account"><ul>${all.map(
      ([name, text]) =>
        html`<li><a href="${accountUrl(ctx, name)}"${name === section && html` aria-current="page"`}>${text}</a></li>`,
    )}</ul></nav>
<h1>${title}</h1>
${error !== undefined && html`<p class="error" role="alert">${error}</p>`}
${content}`,
  }
}

/** A button that sends one value, such as the id of what it removes. */
export const actionButton = (
  action: string,
  { name, value, text, label }: Readonly<Record<'text' | 'label' | 'name', string>> & { readonly value: number },
): Html =>
  html`<form method="post" action="${action}" class="inline"><button type="submit" name="${name}" value="${value}" aria-label="${label}">${text}</button></form>`

/** A secret that is shown once. */
export const newSecret = (name: string, secret: string): Html =>
  html`<div class="secret" role="status"><p>Copy ${name} now: it is not shown again.</p><p><code>${secret}</code></p></div>`
