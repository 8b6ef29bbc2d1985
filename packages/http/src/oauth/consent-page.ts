import type { Application } from '@forgelet/core/operations'
import { html } from '../pages/html.ts'
import type { PageContent, PageContext } from '../pages/page-context.ts'
import { redirectingPagePolicy } from '../pages/security-policy.ts'

/** What the scopes permit, for the consent page. */
const descriptions: Readonly<Record<string, string>> = {
  api: 'Full access to the API: read and change everything that you can read and change',
  read_api: 'Read everything in the API that you can read',
  read_user: 'Read your user, and other users',
  read_repository: 'Read repositories with git',
  write_repository: 'Read and change repositories with git',
  openid: 'Confirm who you are',
  profile: 'Read your name, username and picture',
  email: 'Read your e-mail address',
}

const describeScope = (scope: string): string => descriptions[scope] ?? scope

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
