import { isPlatformError, type Platform } from '@forgelet/core'
import type { Configuration } from 'openid-client'
import type { AppOptions } from '../app/app-options.ts'
import type { RequestContext } from '../app/request-context.ts'
import type { PageContext } from '../pages/page-context.ts'
import { createSessionCookie, readReturnPath } from '../pages/sign-in-reply.ts'
import { createPageContext } from '../pages/visitor.ts'
import type { Reply } from '../reply/reply.ts'
import type { Site } from '../reply/wire.ts'
import {
  flowLifetime,
  formatEndedFlowCookie,
  formatFlowCookie,
  readFlowCookie,
  type SignInFlow,
} from './flow-cookie.ts'
import { loadClientPackage } from './load-client.ts'
import { type OpenidOptions, toSignInPath } from './openid-options.ts'

type Client = Awaited<ReturnType<typeof loadClientPackage>>

/** Seconds for one request to the provider. */
const requestTimeout = 10

const discover = async (client: Client, { issuer, clientId, clientSecret, fetch }: OpenidOptions) => {
  const config = await client.discovery(
    new URL(issuer),
    clientId,
    clientSecret,
    clientSecret === undefined ? client.None() : undefined,
    {
      timeout: requestTimeout,
      ...(fetch && { [client.customFetch]: fetch }),
      // `assertOpenidOptions` permits HTTP on this machine only.
      execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [],
    },
  )
  return config
}

/** Keeps the metadata of the provider after the first success. */
const createDiscovery = (options: OpenidOptions) => {
  let found: Promise<Configuration> | undefined
  return (client: Client): Promise<Configuration> => {
    found ??= discover(client, options).catch((error: unknown) => {
      found = undefined
      throw error
    })
    return found
  }
}

type Claims = Readonly<Record<string, unknown>>

const toText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Why a sign-in has failed, for the query of the sign-in page. */
type OpenidError = 'provider' | 'flow' | 'unlinked' | 'taken' | 'key'

const toError = (error: unknown): OpenidError | undefined => {
  if (!isPlatformError(error)) return undefined
  if (error.code === 'conflict') return 'taken'
  return error.code === 'forbidden' || error.code === 'invalid' ? 'unlinked' : undefined
}

/** Signs in users at an OpenID Connect provider: authorization code with PKCE, state and nonce. */
export const createOpenidHandler = (platform: Platform, appOptions: AppOptions, site: Site, options: OpenidOptions) => {
  const discovery = createDiscovery(options)
  const path = toSignInPath(options)
  const provider = path.slice(path.lastIndexOf('/') + 1)

  const reject = (ctx: PageContext, error: OpenidError, returnPath = '/'): Reply => ({
    status: 303,
    headers: {
      Location: `${ctx.url('-/sign_in')}?${new URLSearchParams({ error, return_to: returnPath })}`,
      'Cache-Control': 'no-store',
    },
    cookies: [formatEndedFlowCookie(ctx)],
  })

  const start = async (ctx: PageContext): Promise<Reply> => {
    const client = await loadClientPackage()
    const config = await discovery(client)
    const flow: SignInFlow = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      returnPath: readReturnPath(ctx.query.get('return_to')),
      expiresAt: platform.ports.clock.now() + flowLifetime * 1_000,
    }
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: `${ctx.siteUrl}${path}/callback`,
      scope: 'openid profile email',
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
    })
    return {
      status: 303,
      headers: { Location: url.href, 'Cache-Control': 'no-store' },
      cookies: [formatFlowCookie(platform, flow, ctx)],
    }
  }

  /** The confirmed subject with its claims. Those of the ID token come first; some providers have the others elsewhere. */
  const exchange = async (ctx: PageContext, flow: SignInFlow) => {
    const client = await loadClientPackage()
    const config = await discovery(client)
    const currentUrl = new URL(`${ctx.siteUrl}${path}/callback?${ctx.query}`)
    const tokens = await client.authorizationCodeGrant(config, currentUrl, {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
    })
    const idClaims: Claims = tokens.claims() ?? {}
    const sub = toText(idClaims.sub) ?? ''
    const needsMore = idClaims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
    const more: Claims = needsMore ? await client.fetchUserInfo(config, tokens.access_token, sub) : {}
    return { sub, claims: { ...more, ...idClaims } }
  }

  const finish = async (ctx: PageContext): Promise<Reply> => {
    const flow = readFlowCookie(platform, ctx.request.header)
    if (flow === undefined) return reject(ctx, 'flow')
    const { sub, claims } = await exchange(ctx, flow)
    await ctx.service.sso.resolveUser({
      provider,
      externalUid: sub,
      creates: options.createUsers ?? false,
      username: toText(claims.preferred_username),
      name: toText(claims.name),
      email: toText(claims.email),
      emailVerified: claims.email_verified === true,
    })
    const identity = { provider, externalUid: sub }
    // Fails for users who may not sign in.
    await platform.as(identity).users.get()
    const cookie = await createSessionCookie(platform, identity, ctx)
    if (cookie === undefined) return reject(ctx, 'key', flow.returnPath)
    return {
      status: 303,
      headers: { Location: ctx.base + flow.returnPath, 'Cache-Control': 'no-store' },
      cookies: [cookie, formatEndedFlowCookie(ctx)],
    }
  }

  return async (context: RequestContext): Promise<Reply> => {
    const { request, log } = context
    const siteUrl = request.site ?? site.url
    const visitor = { identity: null, signedInAt: undefined, hasSignIn: true }
    const ctx = createPageContext(context, visitor, { platform, siteUrl, options: appOptions, log })
    try {
      return await (context.path === path ? start(ctx) : finish(ctx))
    } catch (error) {
      // The provider fails, or the browser sends something that is not from it. Only the log names the reason.
      appOptions.logger?.error({ requestId: request.requestId, error: String(error) }, 'sign-in at the provider failed')
      return reject(ctx, toError(error) ?? 'provider')
    }
  }
}
