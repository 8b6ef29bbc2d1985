import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { visitor } from './page-client.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ time: '2026-03-10T12:00:00Z' })
})
afterEach(() => forge.close())

const account = { name: 'Dora <b>', username: 'dora', email: 'dora@example.com', password: 'correct horse' }

const signUp = (change: Partial<typeof account> = {}, headers: Record<string, string> = {}) =>
  visitor(forge)('/-/sign_up', { method: 'POST', body: new URLSearchParams({ ...account, ...change }), headers })

const signIn = async () => {
  const body = new URLSearchParams({ username: 'dora', password: 'correct horse' })
  const response = await forge.fetch('/-/sign_in', { method: 'POST', body, redirect: 'manual' })
  return response.headers.get('set-cookie') !== null
}

const stateOf = async (user = 'dora') => (await forge.host.users.get({ user })).state

test('visitors cannot sign up until an administrator permits it', async () => {
  expect((await visitor(forge)('/-/sign_in')).text).not.toContain('/-/sign_up')
  expect((await visitor(forge)('/-/sign_up')).status).toBe(404)
  expect((await signUp()).status).toBe(404)
  await forge.host.settings.update({ signupEnabled: true })
  expect((await visitor(forge)('/-/sign_in')).text).toContain('href="/-/sign_up"')
  expect((await visitor(forge)('/-/sign_up')).text).toContain('Password, at least 8 characters')
  await forge.host.settings.update({ passwordAuthenticationEnabledForWeb: false })
  expect((await visitor(forge)('/-/sign_up')).status).toBe(404)
})

describe('a visitor who signs up', () => {
  beforeEach(() => forge.host.settings.update({ signupEnabled: true, afterSignUpText: 'Meet **Ada**' }).then(() => {}))

  test('waits for the approval of an administrator', async () => {
    const { status, text } = await signUp()
    expect(status).toBe(200)
    expect(text).toContain('<strong>Ada</strong>')
    expect(text).toContain('when an administrator has approved your account')
    expect([await stateOf(), await signIn()]).toEqual(['blocked_pending_approval', false])
    await forge.as('root').users.approve({ user: 'dora' })
    expect([await stateOf(), await signIn()]).toEqual(['active', true])
  })

  test('can sign in at once, if the settings permit that', async () => {
    await forge.host.settings.update({ requireAdminApprovalAfterUserSignup: false })
    expect((await signUp()).text).toContain('href="/-/sign_in"')
    expect(await signIn()).toBe(true)
    expect(await forge.host.users.get({ user: 'dora' })).toMatchObject({ name: 'Dora <b>', admin: false })
  })

  test('sees what is wrong, and what was entered except the password', async () => {
    await forge.host.settings.update({
      emailRestrictionsEnabled: true,
      emailRestrictions: '\\+',
      domainBlacklist: ['bad.example'],
      domainBlacklistEnabled: true,
      minimumPasswordLength: 12,
      passwordNumberRequired: true,
    })
    for (const [change, message] of [
      [{ username: 'alice' }, 'Username has already been taken'],
      [{ username: 'a b' }, 'username can contain only letters'],
      [{ email: 'dora+1@example.com' }, 'email is not allowed for sign-up.'],
      [{ email: 'dora@bad.example' }, 'email is not from an allowed domain.'],
      [{ email: 'dora' }, 'email is invalid'],
      [{ password: 'short pass' }, 'password is too short (minimum is 12 characters), password must contain at least'],
      [{ password: 'x' }, 'password'],
    ] as const) {
      const { status, text } = await signUp(change)
      expect([change, status, text.includes('role="alert"')]).toEqual([change, 422, true])
      expect(text.replaceAll('&#39;', "'")).toContain(message)
      expect(text).toContain('value="Dora &lt;b&gt;"')
      expect(text).not.toContain('value="short pass"')
    }
    expect((await forge.host.users.list()).items.map(({ username }) => username)).not.toContain('dora')
    expect((await signUp({}, { Origin: 'https://evil.example' })).status).toBe(403)
  })
})

test('users without activity are deactivated, and are active again when they sign in', async () => {
  await forge.host.users.create({ username: 'dora', password: 'correct horse' })
  await forge.host.settings.update({ deactivateDormantUsers: true, deactivateDormantUsersPeriod: 100 })
  await forge.clock.advance({ days: 99 })
  expect(await stateOf()).toBe('active')
  await forge.host.users.update({ user: 'bob', lastActivityOn: '2026-06-01' })
  await forge.clock.advance({ days: 3 })
  expect([await stateOf(), await stateOf('bob'), await signIn(), await stateOf()]).toEqual([
    'deactivated',
    'active',
    true,
    'active',
  ])
})
