import { fakeForge } from '@forgelet/fixtures'
import GitLabStrategy from 'passport-gitlab2'
import { expect, test } from 'vitest'
import { createBrowser } from './browser.ts'
import { redirectUri } from './oauth-world.ts'

interface Profile {
  readonly id: string
  readonly username: string
  readonly displayName: string
  readonly emails: readonly { readonly value: string }[]
}

type Outcome = { readonly redirect: string } | { readonly profile: Profile; readonly refreshToken: string }

test('passport-gitlab2 signs in a user', async () => {
  await using forge = await fakeForge({ port: 0, http: { oauth: true } })
  const { applicationId, secret } = await forge.host.applications.create({
    name: 'Board',
    redirectUri,
    scopes: 'read_user',
  })
  const strategy = new GitLabStrategy(
    { clientID: applicationId, clientSecret: secret, callbackURL: redirectUri, baseURL: forge.url },
    (_accessToken: string, refreshToken: string, profile: Profile, done: (error: null, user: object) => void) =>
      done(null, { profile, refreshToken }),
  )
  // As `passport.authenticate` calls a strategy.
  const authenticate = (query: object) =>
    new Promise<Outcome>((resolve, reject) => {
      Object.assign(Object.create(strategy) as typeof strategy, {
        redirect: (url: string) => resolve({ redirect: url }),
        success: resolve,
        fail: (problem: unknown) => reject(new Error(JSON.stringify(problem))),
        error: reject,
      }).authenticate({ query }, {})
    })

  const started = (await authenticate({})) as { readonly redirect: string }
  const browser = createBrowser({ ...forge, fetch })
  await browser.signIn('alice')
  const { url } = await browser.submit(await browser.open(started.redirect), { decision: 'authorize' })
  const signedIn = await authenticate(Object.fromEntries(url.searchParams))
  const { id, username, name, email } = await forge.host.users.get({ user: 'alice' })
  expect(signedIn).toMatchObject({
    profile: { id: String(id), username, displayName: name, emails: [{ value: email }] },
    refreshToken: expect.any(String),
  })
})
