import type { FakeForge } from '@forgelet/fixtures'
import * as client from 'openid-client'

export const redirectUri = 'https://board.example.com/callback'

/** Options of a forge that serves OAuth. */
export const oauth = { http: { oauth: true } }

type Application = Partial<Parameters<FakeForge['host']['applications']['create']>[0]>

/** Creates an application, and the configuration of `openid-client` for it. */
export const connect = async (forge: FakeForge, fields: Application = {}) => {
  const application = await forge.host.applications.create({
    name: 'Board',
    redirectUri,
    scopes: 'openid profile email read_user api',
    ...fields,
  })
  const { applicationId, secret, confidential } = application
  const config = await client.discovery(
    new URL(forge.url),
    applicationId,
    confidential ? secret : undefined,
    confidential ? undefined : client.None(),
    { execute: [client.allowInsecureRequests], [client.customFetch]: forge.fetch as client.CustomFetch },
  )
  return { application, config }
}

/** The URL at which a user signs in, and what the application has to check afterwards. */
export const startSignIn = async (config: client.Configuration, parameters: Readonly<Record<string, string>> = {}) => {
  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...parameters,
  })
  return { url, checks: { pkceCodeVerifier: verifier, expectedState: state } }
}
