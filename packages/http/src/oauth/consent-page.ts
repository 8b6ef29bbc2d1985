import type { Application } from '@forgelet/core/operations'
import { html } from '../pages/html.ts'
import type { PageContent, PageContext } from '../pages/page-context.ts'
import { redirectingPagePolicy } from '../pages/security-policy.ts'
import { describeScope } from './scope-descriptions.ts'

/** Asks the user whether an application may have access. */
export const createConsentPage = (
  { viewer }: PageContext,
  { name }: Pick<Application, 'name'>,
  { scopes, target }: { readonly scopes: readonly string[]; readonly target: string | undefined },
): PageContent => ({
  title: `Authorize ${name}`,
  headers: { 'Content-Security-Policy': redirectingPagePolicy, 'Cache-Control': 'no-store' },
  body: html`<h1>Authorize ${name}</h1>
<p><strong>${name}</strong> asks for access to your account. You are signed in as <strong>${viewer?.name}</strong>.</p>
<h2>It will be able to</h2>
<ul>${scopes.map((scope) => html`<li>${describeScope(scope)} <code>${scope}</code></li>`)}</ul>
${target !== undefined && html`<p class="muted">You will return to <code>${target}</code>.</p>`}
<form method="post" class="choices">
<button type="submit" name="decision" value="authorize">Authorize</button>
<button type="submit" name="decision" value="deny">Deny</button>
</form>`,
})
