import * as client from 'openid-client'
import type { Browser } from './browser.ts'
import { startSignIn } from './oauth-world.ts'

/** Signs in with the token of a user, consents, and returns to the application. */
export const authorize = async (
  browser: Browser,
  config: client.Configuration,
  parameters: Readonly<Record<string, string>> = {},
  username = 'alice',
) => {
  const { url, checks } = await startSignIn(config, parameters)
  await browser.signIn(username)
  const { url: returned } = await browser.submit(await browser.open(url), { decision: 'authorize' })
  return { returned, checks }
}

/** The tokens after `authorize`. */
export const signIn = async (...input: Parameters<typeof authorize>) => {
  const { returned, checks } = await authorize(...input)
  return client.authorizationCodeGrant(input[1], returned, checks)
}
