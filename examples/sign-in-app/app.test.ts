import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { demo } from '@forgelet/core/seed'
import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from './app.ts'

let forge: FakeForge
let app: Server
let url: string

/** The application is registered with its URL, which has to be known before. */
const findFreePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

beforeAll(async () => {
  const port = await findFreePort()
  url = `http://127.0.0.1:${port}`
  const application = { name: 'Board', redirectUri: `${url}/callback`, scopes: 'openid profile' }
  forge = await fakeForge({
    port: 0,
    http: { oauth: true },
    seed: { ...demo, applications: [{ ...application, applicationId: 'board', secret: 'board-secret' }] },
  })
  app = await createApp(url, { url: forge.url, clientId: 'board', clientSecret: 'board-secret' })
  app.listen(port, '127.0.0.1')
  await once(app, 'listening')
})
afterAll(async () => {
  app.close()
  await forge.close()
})

/** A browser that follows redirects, with the cookies of both servers. */
const createBrowser = () => {
  const cookies = new Map<string, string>()
  const open = async (
    target: string,
    form?: Readonly<Record<string, string>>,
  ): Promise<{ url: string; text: string }> => {
    const response = await fetch(target, {
      redirect: 'manual',
      headers: { Accept: 'text/html', Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    return location === null ? { url: target, text: await response.text() } : open(new URL(location, target).href)
  }
  return open
}

test('a user signs in with Forgelet, and signs out', async () => {
  const open = createBrowser()
  expect((await open(url)).text).toContain('Sign in with Forgelet')
  const signIn = await open(`${url}/sign-in`)
  const returnTo = new URL(signIn.url).searchParams.get('return_to') as string
  const consent = await open(`${forge.url}/-/sign_in`, { user: 'alice', return_to: returnTo })
  expect(consent.text).toContain('Authorize Board')
  const home = await open(consent.url, { decision: 'authorize' })
  expect(home.text).toContain('Hello Alice Liddell')
  expect((await open(`${url}/sign-out`)).text).toContain('Board asks to sign you out')
  expect((await open(url)).text).toContain('Sign in with Forgelet')
})

test('a user who denies access is not signed in', async () => {
  const open = createBrowser()
  const signIn = await open(`${url}/sign-in`)
  const returnTo = new URL(signIn.url).searchParams.get('return_to') as string
  const consent = await open(`${forge.url}/-/sign_in`, { user: 'bob', return_to: returnTo })
  const denied = await open(consent.url, { decision: 'deny' })
  expect(denied.text).toContain('Sign-in failed')
  expect((await open(url)).text).toContain('Sign in with Forgelet')
})

test('a forged callback is rejected', async () => {
  const open = createBrowser()
  expect((await open(`${url}/callback?code=forged&state=forged`)).text).toBe('Start again')
})
