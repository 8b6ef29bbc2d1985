import type { IncomingMessage } from 'node:http'
import type { Client, ProviderContext } from 'oidc-provider'
import { html } from '../pages/html.ts'
import type { PageContent, PageContext } from '../pages/page-context.ts'
import { toPageReply } from '../pages/page-reply.ts'
import { redirectingPagePolicy } from '../pages/security-policy.ts'
import { oauthRoutes } from './oauth-paths.ts'

/** The pages that the provider shows. It has stored the state that their forms refer to. */
export interface ProviderPages {
  showCodeInput(context: ProviderContext, form: string, output?: object, error?: Error): Promise<void>
  showCodeConfirmation(
    context: ProviderContext,
    form: string,
    client: Client,
    device: object,
    userCode: string,
  ): Promise<void>
  showDeviceSuccess(context: ProviderContext): Promise<void>
  showSignOut(context: ProviderContext): Promise<void>
  showSignOutSuccess(context: ProviderContext): Promise<void>
  showError(
    context: ProviderContext,
    output: { readonly error: string; readonly error_description?: string },
  ): Promise<void>
}

const applicationName = (client: Client | undefined) => client?.clientName ?? 'The application'

const hiddenSecret = ({ oidc }: ProviderContext) =>
  html`<input type="hidden" name="xsrf" value="${oidc.session.state?.secret}">`

/** Whether the user has to enter the code again. */
const codeErrors: Readonly<Record<string, string>> = {
  NoCodeError: 'Enter a code.',
  NotFoundError: 'The code is unknown. Check it and try again.',
  ExpiredError: 'The code has expired. Start again on the device.',
  AlreadyUsedError: 'The code was used before. Start again on the device.',
  AbortedError: 'You have rejected the request. The device has no access.',
}

/** @param pageOf the page that a request shows */
export const createProviderPages = (pageOf: (request: IncomingMessage) => PageContext): ProviderPages => {
  const show = async (context: ProviderContext, content: PageContent) => {
    const { bytes, headers } = await toPageReply(pageOf(context.req), { ...content, status: context.status })
    context.set({ ...headers, 'Cache-Control': 'no-store' })
    context.body = bytes
  }

  return {
    async showCodeInput(context, _form, _output, error) {
      const page = pageOf(context.req)
      const problem = error && (codeErrors[error.name] ?? 'The request has expired. Enter the code again.')
      if (context.status === 404) context.status = 200
      await show(context, {
        title: 'Connect a device',
        body: html`<h1>Connect a device</h1>
${problem !== undefined && html`<p class="error" role="alert">${problem}</p>`}
<form method="post" action="${page.base}${oauthRoutes.code_verification}" class="sign-in">${hiddenSecret(context)}
<label for="user_code">Code that the device shows</label>
<input id="user_code" name="user_code" value="${page.query.get('user_code') ?? ''}" autocomplete="off" autocapitalize="characters" spellcheck="false" required>
<button type="submit">Continue</button>
</form>`,
      })
    },

    async showCodeConfirmation(context, _form, client, _device, userCode) {
      const page = pageOf(context.req)
      await show(context, {
        title: 'Connect a device',
        body: html`<h1>Connect a device</h1>
<p><strong>${applicationName(client)}</strong> asks for access to your account from a device that shows this code:</p>
<p><code>${userCode}</code></p>
<p>Reject the request if you did not start it, or if the device shows another code.</p>
<form method="post" action="${page.base}${oauthRoutes.code_verification}" class="choices">${hiddenSecret(context)}
<input type="hidden" name="user_code" value="${userCode}">
<button type="submit" name="confirm" value="yes">Continue</button>
<button type="submit" name="abort" value="yes">Reject</button>
</form>`,
      })
    },

    showDeviceSuccess: (context) =>
      show(context, {
        title: 'Device connected',
        body: html`<h1>Device connected</h1>
<p>${applicationName(context.oidc.client)} has access to your account. You can close this page.</p>`,
      }),

    showSignOut: (context) =>
      show(context, {
        title: 'Sign out',
        headers: { 'Content-Security-Policy': redirectingPagePolicy },
        body: html`<h1>Sign out</h1>
<p>${applicationName(context.oidc.client)} asks to sign you out of Forgelet.</p>
<form method="post" action="${pageOf(context.req).base}${oauthRoutes.end_session}/confirm" class="choices">${hiddenSecret(context)}
<button type="submit" name="logout" value="yes">Sign out</button>
<button type="submit">Stay signed in</button>
</form>`,
      }),

    async showSignOutSuccess(context) {
      context.status = 200
      await show(context, {
        title: 'Signed out',
        body: html`<h1>Signed out</h1>
<p><a href="${pageOf(context.req).url('')}">All projects</a></p>`,
      })
    },

    showError: (context, { error, error_description: description }) =>
      show(context, {
        title: 'Sign-in failed',
        body: html`<h1>Sign-in failed</h1>
<p class="error" role="alert">${description ?? error}</p>
<p class="muted">Error: <code>${error}</code></p>
<p><a href="${pageOf(context.req).url('')}">All projects</a></p>`,
      }),
  }
}
