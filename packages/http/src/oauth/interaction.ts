import type { Identity, Session } from '@forgelet/core'
import { defined } from '@forgelet/core/operations'
import type { Interaction, Provider } from 'oidc-provider'
import { html } from '../pages/html.ts'
import type { PageContext } from '../pages/page-context.ts'
import { toPageReply } from '../pages/page-reply.ts'
import { isSameOrigin } from '../pages/sign-in-reply.ts'
import type { Visitor } from '../pages/visitor.ts'
import type { Reply } from '../reply/reply.ts'
import { createConsentPage } from './consent-page.ts'
import type { ProviderExchange } from './provider-exchange.ts'

/** Scopes that concern the identity of the user only. */
const identityScopes: readonly string[] = ['openid', 'profile', 'email', 'read_user']

/**
 * The first scope that exceeds the session of a user who has signed in with a token: an application must not receive more than
 * the token permits.
 */
const findExcessScope = async (
  session: Session,
  identity: Identity,
  requested: readonly string[],
): Promise<string | undefined> => {
  if (identity === null || !('token' in identity)) return undefined
  const { scopes } = await session.tokens.get()
  if (scopes.includes('api')) return undefined
  return requested.find((scope) => !identityScopes.includes(scope) && !scopes.includes(scope))
}

interface InteractionInput {
  readonly provider: Provider
  readonly exchange: ProviderExchange
  readonly host: Session
  readonly page: PageContext
  readonly visitor: Visitor
  readonly form: URLSearchParams
  /** The time of the platform, in milliseconds since 1970. */
  readonly now: number
}

const redirect = (location: string): Reply => ({
  status: 303,
  headers: { Location: location, 'Cache-Control': 'no-store' },
})

const showProblem = (page: PageContext, status: number, text: string): Promise<Reply> =>
  toPageReply(page, {
    title: 'Sign-in failed',
    status,
    headers: { 'Cache-Control': 'no-store' },
    body: html`<h1>Sign-in failed</h1>
<p class="error" role="alert">${text}</p>
<p><a href="${page.url('')}">All projects</a></p>`,
  })

const finish = async ({ provider, exchange }: InteractionInput, result: object, mergeWithLastSubmission: boolean) => {
  const { request, response } = exchange
  return redirect(await provider.interactionResult(request, response, result, { mergeWithLastSubmission }))
}

/**
 * Whether the application requires a sign-in after it has sent the user here. The session and the stored interaction have the
 * time of the platform, which tests can set; the provider has that of the system.
 */
const needsNewSignIn = async ({ host, visitor }: InteractionInput, interaction: Interaction): Promise<boolean> => {
  const { prompt, uid } = interaction
  if (visitor.signedInAt === undefined) return false
  if (!prompt.reasons.some((reason) => reason === 'login_prompt' || reason === 'max_age')) return false
  const record = await host.oauthProvider.find({ model: 'Interaction', value: uid })
  return record === undefined || visitor.signedInAt < Date.parse(record.createdAt)
}

/** Seconds since 1970, of the system. */
const toSystemTime = (signedInAt: number | undefined, now: number): number =>
  Math.floor((Date.now() - (signedInAt === undefined ? 0 : Math.max(0, now - signedInAt))) / 1_000)

/** The pages have the session; the provider takes the user from it. */
const signIn = async (input: InteractionInput, interaction: Interaction): Promise<Reply> => {
  const { page, visitor, now } = input
  const { viewer } = page
  if (viewer?.id !== undefined && !(await needsNewSignIn(input, interaction))) {
    const ts = toSystemTime(visitor.signedInAt, now)
    return finish(input, { login: { accountId: String(viewer.id), ts } }, false)
  }
  if (viewer !== undefined && viewer.id === undefined) {
    return showProblem(page, 403, 'Your session has no user that an application can sign in.')
  }
  if (!page.hasSignIn) return showProblem(page, 401, 'Sign in to this site first, then start again in the application.')
  return redirect(`${page.url('-/sign_in')}?${new URLSearchParams({ return_to: page.path })}`)
}

const readScopes = ({ params }: Interaction): readonly string[] =>
  String(params.scope ?? '')
    .split(' ')
    .filter((scope) => scope !== '')

const authorize = async (input: InteractionInput, interaction: Interaction): Promise<Reply> => {
  const { provider } = input
  const { grantId, session, params } = interaction
  const existing = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  const accountId = defined(session?.accountId)
  const grant = existing ?? new provider.Grant({ accountId, clientId: String(params.client_id) })
  grant.addOIDCScope(readScopes(interaction).join(' '))
  return finish(input, { consent: { grantId: await grant.save() } }, true)
}

const consent = async (input: InteractionInput, interaction: Interaction): Promise<Reply> => {
  const { page, host, form, visitor } = input
  if (page.viewer?.id === undefined || String(page.viewer.id) !== interaction.session?.accountId)
    return showProblem(page, 403, 'You have signed in as another user. Start again in the application.')
  const scopes = readScopes(interaction)
  const excess = await findExcessScope(page.session, visitor.identity, scopes)
  if (excess !== undefined)
    return showProblem(
      page,
      403,
      `Your session does not permit ${excess}: sign in with a token that has the scope api.`,
    )
  if (page.request.method === 'POST') {
    if (!isSameOrigin(page.request, page.siteUrl))
      return { status: 403, body: { error: 'The form is not from a page of this server' } }
    if (form.get('decision') === 'authorize') return authorize(input, interaction)
    const description = 'The resource owner or authorization server denied the request.'
    return finish(input, { error: 'access_denied', error_description: description }, false)
  }
  const application = await host.oauthProvider.findApplication({ applicationId: String(interaction.params.client_id) })
  if (!application) return showProblem(page, 400, 'The application was removed.')
  const { redirect_uri: uri } = interaction.params
  return toPageReply(
    page,
    createConsentPage(page, application, { scopes, target: uri === undefined ? uri : String(uri) }),
  )
}

/** The page at which the provider lets a user sign in or consent. */
export const handleInteraction = async (input: InteractionInput): Promise<Reply> => {
  const { provider, exchange, page } = input
  let interaction: Interaction
  try {
    interaction = await provider.interactionDetails(exchange.request, exchange.response)
  } catch {
    return showProblem(page, 400, 'The request has expired. Start again in the application.')
  }
  return interaction.prompt.name === 'login' ? signIn(input, interaction) : consent(input, interaction)
}
