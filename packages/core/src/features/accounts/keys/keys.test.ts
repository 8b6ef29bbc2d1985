import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newSshKey } from '../../../../../../test/contract/ssh-keys.ts'
import { world } from '../../../../../../test/world.ts'
import { parseSshKey } from './ssh-key.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'

const parseKey = (text: string) => {
  const result = parseSshKey(text)
  if (!('key' in result)) throw new Error(result.problem)
  return result.key
}

describe('a key of a user', () => {
  test('is found by id and by both fingerprints, with the details of its user', async () => {
    const { host } = forge
    const text = newSshKey('bob@laptop')
    const key = await host.keys.create({ user: 'bob', key: ` ${text}\n`, expiresAt: '2027-01-01' })
    expect(key).toEqual({
      id: expect.any(Number),
      title: 'bob@laptop',
      key: text,
      createdAt: expect.any(String),
      expiresAt: '2027-01-01T00:00:00.000Z',
      lastUsedAt: null,
      usageType: 'auth_and_signing',
    })
    await host.users.update({ user: 'bob', bio: 'Builds', websiteUrl: 'https://bob.example' })
    const record = await host.keys.find({ key: key.id })
    expect(record).toMatchObject({ ...key, user: { username: 'bob', bio: 'Builds', skype: '', identities: [] } })
    expect(record).not.toHaveProperty('deployKeysProjects')
    const { sha256, md5 } = parseKey(text)
    expect(await host.keys.find({ fingerprint: `SHA256:${sha256}` })).toEqual(record)
    expect(await host.keys.find({ fingerprint: md5.toUpperCase() })).toEqual(record)
    expect((await host.keys.list({ user: 'bob' })).items).toEqual([key])
    await host.keys.remove({ user: 'bob', key: key.id })
    await expect(host.keys.find({ key: key.id })).rejects.toMatchObject({ code: 'not_found' })
    await expect(host.keys.find({ fingerprint: md5 })).rejects.toMatchObject({ code: 'not_found', kind: 'Key' })
  })

  test('belongs to one user only', async () => {
    const { host } = forge
    const text = newSshKey('first')
    await host.keys.create({ user: 'bob', key: text })
    const taken = { code: 'invalid', problems: [{ fields: ['fingerprint'], message: 'has already been taken' }] }
    await expect(host.keys.create({ user: 'carol', key: text.replace('first', 'second') })).rejects.toMatchObject(taken)
    await expect(host.deployKeys.create({ project, key: text })).rejects.toMatchObject(taken)
  })

  test('is rejected with all problems at once', async () => {
    await expect(
      forge.host.keys.create({ user: 'bob', key: 'nonsense', title: 'x'.repeat(256) }),
    ).rejects.toMatchObject({
      code: 'invalid',
      problems: [
        { fields: ['key'], message: expect.stringMatching(/^must begin with one of ssh-rsa/) },
        { fields: ['title'], message: 'is too long (maximum is 255 characters)' },
      ],
    })
    await expect(forge.host.keys.create({ user: 'bob', key: newSshKey('') })).rejects.toMatchObject({
      problems: [{ fields: ['title'], message: "can't be blank" }],
    })
  })

  test('is found by administrators only', async () => {
    const { id } = await forge.host.keys.create({ user: 'bob', key: newSshKey('bob') })
    for (const user of ['bob', 'alice']) {
      await expect(forge.as(user).keys.find({ key: id })).rejects.toMatchObject({ code: 'forbidden' })
      await expect(forge.as(user).keys.find({ key: 99_999 })).rejects.toMatchObject({ code: 'forbidden' })
    }
    await expect(forge.as('root').keys.find({ key: id })).resolves.toBeDefined()
  })

  test.each(['', 'SHA256:short', 'MD5:00', 'SHA256:has a blank'])(
    'is not found by the invalid fingerprint %j',
    async (fingerprint) => {
      await expect(forge.host.keys.find({ fingerprint })).rejects.toMatchObject({
        code: 'invalid',
        message: 'Failed to return the key',
      })
    },
  )
})

describe('a deploy key', () => {
  test('lists the projects that it can access', async () => {
    const { host } = forge
    const text = newSshKey('robot')
    const created = await forge.as('alice').deployKeys.create({ project, key: text, title: 'Robot', canPush: true })
    expect(created).toMatchObject({ title: 'Robot', key: text, canPush: true, expiresAt: null })
    const second = await host.deployKeys.create({ project: 'bob/notes', key: text, title: 'Other' })
    expect(second).toMatchObject({ id: created.id, title: 'Robot', canPush: false })
    const record = await host.keys.find({ fingerprint: `SHA256:${parseKey(text).sha256}` })
    expect(record.user).toMatchObject({ username: 'alice' })
    expect(record.deployKeysProjects?.map(({ canPush }) => canPush)).toEqual([true, false])
    expect(record.deployKeysProjects?.every(({ deployKeyId }) => deployKeyId === created.id)).toBe(true)
    expect((await forge.as('alice').deployKeys.list({ project })).items).toEqual([created])
    await host.deployKeys.remove({ project, deployKey: created.id })
    expect((await host.keys.find({ key: created.id })).deployKeysProjects).toHaveLength(1)
    await host.deployKeys.remove({ project: 'bob/notes', deployKey: created.id })
    await expect(host.keys.find({ key: created.id })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('of another project is taken for maintainers', async () => {
    const text = newSshKey('robot')
    await forge.host.deployKeys.create({ project, key: text })
    const taken = { problems: [{ fields: ['fingerprint'], message: 'has already been taken' }] }
    await expect(forge.as('bob').deployKeys.create({ project: 'bob/notes', key: text })).rejects.toMatchObject(taken)
    await expect(forge.host.deployKeys.create({ project, key: text })).rejects.toMatchObject(taken)
    await expect(forge.as('bob').deployKeys.list({ project })).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('added by the host has no user', async () => {
    const { id } = await forge.host.deployKeys.create({ project, key: newSshKey('robot') })
    expect((await forge.host.keys.find({ key: id })).user).toBeNull()
  })
})

test('a profile rejects an invalid e-mail address and URL', async () => {
  const update = forge.host.users.update({ user: 'bob', publicEmail: 'x', websiteUrl: 'javascript:alert(1)' })
  await expect(update).rejects.toMatchObject({
    problems: [
      { fields: ['publicEmail'], message: 'is invalid' },
      { fields: ['websiteUrl'], message: 'is blocked: Only allowed schemes are http, https' },
    ],
  })
  const detail = await forge.host.users.update({ user: 'bob', projectsLimit: 0, confirmedAt: '2026-01-01' })
  expect(detail).toMatchObject({ canCreateProject: false, confirmedAt: '2026-01-01T00:00:00.000Z' })
  // The user sees the same details without those for administrators, and other users only the profile.
  const { note, createdBy, currentSignInIp, lastSignInIp, ...own } = detail
  expect({ note, createdBy, currentSignInIp, lastSignInIp }).toEqual({
    note: '',
    createdBy: null,
    currentSignInIp: null,
    lastSignInIp: null,
  })
  expect(await forge.as('bob').users.get()).toEqual({ ...own, isFollowed: false })
  expect(await forge.as('bob').users.get({ user: 'BOB' })).toEqual({ ...own, isFollowed: false })
  const shown = await forge.as('alice').users.get({ user: 'bob' })
  expect(shown).toMatchObject({ username: 'bob', bio: '', createdAt: own.createdAt, followers: 0 })
  for (const field of ['email', 'admin', 'identities', 'note', 'lastSignInAt']) expect(shown).not.toHaveProperty(field)
})
