import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newUser, patchOf, scimSeed } from '../../../../../../test/scim-world.ts'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ seed: scimSeed })
})
afterEach(() => forge.close())

const acme = () => forge.platform.as({ scim: 'acme-scim' }).scim
const other = () => forge.platform.as({ scim: 'other-scim' }).scim
const create = (name: string, more = {}) => acme().create({ group: 'acme', resource: newUser(name, more) })
const patch = (user: string, ...operations: unknown[]) =>
  acme().patch({ group: 'acme', user, request: patchOf(...operations) })
const set = (path: string, value: unknown) => ({ op: 'replace', path, value })
const levelOf = async (user: string, group = 'acme') => {
  const { items } = await forge.host.members.list({ group, query: user })
  return items.find(({ username }) => username === user)?.accessLevel
}
const platformError = (code: string) => expect.objectContaining({ name: 'PlatformError', code })

describe('usernames', () => {
  test('lose invalid characters and skip numbers that users or groups have', async () => {
    await forge.host.groups.create({ name: 'ann1' })
    const names = []
    for (const name of ['ann', 'ANN', 'Ann']) {
      names.push(
        (await create(name, { externalId: `${names.length}`, emails: `${names.length}@example.com` })).username,
      )
    }
    expect(names).toEqual(['ann', 'ANN2', 'Ann3'])
    expect((await create('x', { userName: '.ü@example.com' })).username).toBe('user')
  })

  test('get the next free number among many', async () => {
    const names = []
    for (let count = 0; count < 45; count++) {
      const { username } = await create('ann', { externalId: `${count}`, emails: `${count}@example.com` })
      names.push(username)
    }
    expect(names).toEqual(['ann', ...Array.from({ length: 44 }, (_, index) => `ann${index + 1}`)])
  })

  test('stay when only the number differs; a change moves the personal projects', async () => {
    await forge.host.users.create({ username: 'ann', email: 'first@example.com' })
    await create('ann')
    await patch('uid-ann', set('userName', 'ann@example.com'))
    expect((await acme().get({ group: 'acme', user: 'uid-ann' })).username).toBe('ann1')
    await forge.as('ann1').projects.create({ name: 'notes' })
    await patch('uid-ann', set('userName', 'lee@example.com'))
    expect((await forge.host.projects.get({ project: 'lee/notes' })).fullPath).toBe('lee/notes')
    await expect(forge.host.projects.get({ project: 'ann1/notes' })).rejects.toEqual(platformError('not_found'))
  })
})

describe('deactivation', () => {
  test('ends identity and membership, applies all other changes, and can be reverted by a creation', async () => {
    const { username } = await create('ann')
    await patch('uid-ann', set('active', 'False'), set('externalId', 'moved'), set('displayName', 'Changed'))
    for (const user of ['uid-ann', 'moved'])
      await expect(acme().get({ group: 'acme', user })).rejects.toEqual(platformError('not_found'))
    expect(await levelOf(username)).toBeUndefined()
    const account = await forge.host.users.get({ user: username })
    expect(account.name).toBe('Changed')

    expect(await create('ann', { externalId: 'Moved' })).toMatchObject({
      username,
      active: true,
      externUid: 'Moved',
    })
    expect(await levelOf(username)).toBe(10)
    expect((await forge.host.users.get({ user: username })).id).toBe(account.id)
  })

  test('can be reverted by e-mail address only for users whom the group provisioned', async () => {
    await create('ann')
    await acme().remove({ group: 'acme', user: 'uid-ann' })
    expect(await create('ann', { externalId: 'new' })).toMatchObject({ username: 'ann', externUid: 'new' })
    await acme().remove({ group: 'acme', user: 'linked-a' })
    const resource = newUser('linked')
    await expect(acme().create({ group: 'acme', resource })).rejects.toEqual(platformError('conflict'))
    await expect(other().create({ group: 'other', resource: newUser('ann', { externalId: 'x' }) })).rejects.toEqual(
      platformError('conflict'),
    )
  })

  test('of a user who was linked by the host can be reverted by external UID, as a guest', async () => {
    await acme().remove({ group: 'acme', user: 'linked-a' })
    expect(await levelOf('linked')).toBeUndefined()
    expect(await create('else', { externalId: 'LINKED-A' })).toMatchObject({
      username: 'linked',
      name: 'Linked Person',
    })
    expect(await levelOf('linked')).toBe(10)
    expect(await levelOf('linked', 'other')).toBe(10)
  })

  test('keeps the membership of the last owner', async () => {
    await acme().remove({ group: 'acme', user: 'olga-1' })
    expect(await levelOf('olga')).toBe(50)
    await expect(acme().get({ group: 'acme', user: 'olga-1' })).rejects.toEqual(platformError('not_found'))
    await forge.host.members.add({ group: 'acme', users: ['stranger'], accessLevel: 50 })
    await create('olga', { externalId: 'olga-1' })
    await patch('olga-1', set('active', false))
    expect(await levelOf('olga')).toBeUndefined()
  })

  test('releases the external UID for another user', async () => {
    await create('ann')
    await acme().remove({ group: 'acme', user: 'uid-ann' })
    await create('bea')
    await patch('uid-bea', set('externalId', 'uid-ann'))
    expect(await acme().get({ group: 'acme', user: 'uid-ann' })).toMatchObject({ username: 'bea' })
    expect(await create('else', { externalId: 'uid-ann' })).toMatchObject({ username: 'bea' })
  })

  test('at creation creates an account without a membership', async () => {
    expect(await create('ann', { active: 'False' })).toMatchObject({ active: false, username: 'ann' })
    expect(await levelOf('ann')).toBeUndefined()
    expect(await create('ann', { active: false })).toMatchObject({ active: false, username: 'ann' })
    expect(await create('ann')).toMatchObject({ active: true, username: 'ann' })
    expect(await levelOf('ann')).toBe(10)
  })
})

describe('profile changes', () => {
  const changes = [set('displayName', 'Taken Over'), set('emails[type eq "work"].value', 'evil@example.com')]
  const readOnly = expect.objectContaining({ name: 'PlatformError', code: 'invalid_input', reason: 'mutability' })

  test('apply only to users whom the group provisioned', async () => {
    const request = patchOf(...changes)
    await expect(other().patch({ group: 'other', user: 'linked-b', request })).rejects.toEqual(readOnly)
    for (const change of [...changes, set('userName', 'evil')])
      await expect(patch('linked-a', change)).rejects.toEqual(readOnly)
    await expect(patch('linked-a', set('externalId', 'moved'), ...changes)).rejects.toEqual(readOnly)
    expect(await acme().get({ group: 'acme', user: 'linked-a' })).toMatchObject({
      name: 'Linked Person',
      email: 'linked@example.com',
    })
    await create('ann')
    await patch('uid-ann', ...changes)
    expect(await forge.host.users.get({ user: 'ann' })).toMatchObject({ name: 'Taken Over', email: 'evil@example.com' })
  })

  test('to the current values and other changes apply to any linked user', async () => {
    const same = [set('displayName', 'Linked Person'), set('userName', 'linked@example.com')]
    await patch('linked-a', ...same, set('externalId', 'Linked-A'), set('active', true))
    expect(await acme().get({ group: 'acme', user: 'linked-a' })).toMatchObject({ externUid: 'Linked-A' })
    await patch('linked-a', set('active', false))
    await expect(acme().get({ group: 'acme', user: 'linked-a' })).rejects.toEqual(platformError('not_found'))
  })

  test('by another group that linked the user are rejected', async () => {
    await create('ann')
    await forge.host.sso.linkIdentity({ group: 'other', user: 'ann', externalUid: 'ann-b' })
    const request = patchOf(...changes)
    await expect(other().patch({ group: 'other', user: 'ann-b', request })).rejects.toEqual(readOnly)
    expect(await forge.host.users.get({ user: 'ann' })).toMatchObject({ name: 'ann Person' })
  })

  test('of an administrator are rejected', async () => {
    await create('ann')
    await forge.host.users.update({ user: 'ann', admin: true })
    await expect(patch('uid-ann', ...changes)).rejects.toEqual(readOnly)
    expect(await forge.host.users.get({ user: 'ann' })).toMatchObject({ email: 'ann@example.com' })
  })

  test('apply together with a different external UID', async () => {
    await create('ann')
    await patch('uid-ann', set('externalId', 'UID-ANN'), set('displayName', 'Ann Lee'))
    expect(await acme().get({ group: 'acme', user: 'uid-ann' })).toMatchObject({
      externUid: 'UID-ANN',
      name: 'Ann Lee',
    })
    await patch('uid-ann', set('id', 'uid-2'), set('displayName', 'Ann'), set('emails.value', 'ANN@example.com'))
    expect(await acme().get({ group: 'acme', user: 'uid-2' })).toMatchObject({ name: 'Ann', email: 'ANN@example.com' })
  })

  test('of one part of the name keep the other', async () => {
    await create('ann')
    await patch('uid-ann', set('name.familyName', 'Lee'))
    expect(await acme().get({ group: 'acme', user: 'uid-ann' })).toMatchObject({ name: 'ann Lee' })
    await patch('uid-ann', set('name.givenName', 'Ann'))
    expect(await acme().get({ group: 'acme', user: 'uid-ann' })).toMatchObject({ name: 'Ann Lee' })
  })
})

describe('a replacement', () => {
  const replace = (user: string, resource: Record<string, unknown>) => acme().replace({ group: 'acme', user, resource })

  test('sets all attributes and returns the user', async () => {
    await create('ann')
    const changed = newUser('lee', { name: { givenName: 'Ann', familyName: 'Lee' } })
    const expected = { externUid: 'uid-lee', active: true, username: 'lee', name: 'Ann Lee', email: 'lee@example.com' }
    expect(await replace('UID-ann', changed)).toEqual({ ...expected, groupPath: 'acme' })
    expect(await acme().get({ group: 'acme', user: 'uid-lee' })).toMatchObject(expected)
    await patch('uid-lee', set('name.givenName', 'Bea'))
    expect(await acme().get({ group: 'acme', user: 'uid-lee' })).toMatchObject({ name: 'Bea Lee' })
  })

  test('without externalId keeps the external UID', async () => {
    await create('ann')
    const { externalId: _, ...resource } = newUser('ann', { name: { formatted: 'Changed' } })
    expect(await replace('uid-ann', { ...resource, id: 'ignored' })).toMatchObject({
      externUid: 'uid-ann',
      name: 'Changed',
    })
  })

  test('without a required attribute or with a taken value changes nothing', async () => {
    const before = await create('ann')
    for (const name of ['userName', 'name', 'emails']) {
      const resource = newUser('lee', { [name]: undefined })
      await expect(replace('uid-ann', resource)).rejects.toMatchObject({ reason: 'invalid_value' })
    }
    const taken = [{ userName: 'stranger' }, { emails: 'STRANGER@example.com' }, { externalId: 'Linked-A' }]
    for (const more of taken)
      await expect(replace('uid-ann', newUser('lee', more))).rejects.toEqual(platformError('conflict'))
    expect(await acme().get({ group: 'acme', user: 'uid-ann' })).toEqual(before)
  })

  test('ignores the read-only profile of users whom the group did not provision', async () => {
    const resource = newUser('evil', { externalId: 'moved' })
    expect(await replace('linked-a', resource)).toMatchObject({
      externUid: 'moved',
      username: 'linked',
      name: 'Linked Person',
      email: 'linked@example.com',
    })
  })

  test('with active: false ends identity and membership; unknown users are not created', async () => {
    await create('ann')
    expect(await replace('uid-ann', newUser('ann', { active: 'False' }))).toMatchObject({ active: false })
    expect(await levelOf('ann')).toBeUndefined()
    for (const user of ['uid-ann', 'unknown'])
      await expect(replace(user, newUser('ann'))).rejects.toEqual(platformError('not_found'))
  })
})

describe('lists', () => {
  test('of no users have only the total', async () => {
    for (const count of [0, -1])
      expect(await acme().list({ group: 'acme', count })).toEqual({
        totalResults: 2,
        itemsPerPage: 0,
        startIndex: 1,
        users: [],
      })
    expect(await acme().list({ group: 'acme', startIndex: 2 })).toMatchObject({ totalResults: 2, itemsPerPage: 1 })
  })

  test('are filtered by e-mail address, but only of linked users', async () => {
    const find = async (email: string) =>
      (await acme().list({ group: 'acme', filter: `emails.value eq "${email}"` })).users.map(({ username }) => username)
    expect(await find('OLGA@example.com')).toEqual(['olga'])
    expect(await find('olga')).toEqual([])
    expect(await find('stranger@example.com')).toEqual([])
  })
})

describe('SCIM tokens', () => {
  test('can only access the SCIM API of their group', async () => {
    const session = forge.platform.as({ scim: 'acme-scim' })
    await expect(session.groups.get({ group: 'plain' })).rejects.toEqual(platformError('forbidden'))
    await expect(session.projects.list()).rejects.toEqual(platformError('forbidden'))
    await expect(session.members.list({ group: 'acme' })).rejects.toEqual(platformError('forbidden'))
    await expect(session.sso.createToken({ group: 'acme' })).rejects.toEqual(platformError('forbidden'))
    await expect(session.scim.list({ group: 'other' })).rejects.toEqual(platformError('unauthenticated'))
    await expect(session.scim.list({ group: 'acme/tools' })).rejects.toEqual(platformError('unauthenticated'))
    await expect(session.scim.list({ group: 'nothing' })).rejects.toEqual(platformError('not_found'))
  })

  test('are required for everyone except the host', async () => {
    for (const user of ['root', 'olga', 'stranger']) {
      await expect(forge.as(user).scim.list({ group: 'acme' })).rejects.toEqual(platformError('not_found'))
    }
    await expect(forge.platform.scim.list({ group: 'acme' })).rejects.toEqual(platformError('unauthenticated'))
    expect(await forge.host.scim.list({ group: 'acme' })).toMatchObject({ totalResults: 2 })
  })

  test('are created and revoked by administrators', async () => {
    await expect(forge.as('olga').sso.createToken({ group: 'acme' })).rejects.toEqual(platformError('forbidden'))
    await expect(forge.host.sso.createToken({ group: 'plain' })).rejects.toEqual(platformError('not_found'))
    const { id, secret } = await forge.as('root').sso.createToken({ group: 'acme' })
    await forge.platform.authenticate({ scim: secret })
    expect((await forge.host.sso.listTokens({ group: 'acme' })).items).toHaveLength(2)
    await expect(forge.host.sso.revokeToken({ group: 'other', token: id })).rejects.toEqual(platformError('not_found'))
    await forge.host.sso.revokeToken({ group: 'acme', token: id })
    await expect(forge.platform.authenticate({ scim: secret })).rejects.toEqual(platformError('unauthenticated'))
    await expect(forge.platform.authenticate({ scim: 'olga-token' })).rejects.toEqual(platformError('unauthenticated'))
  })

  test('are rejected while single sign-on is disabled', async () => {
    await forge.host.sso.disable({ group: 'acme' })
    await expect(acme().list({ group: 'acme' })).rejects.toEqual(platformError('forbidden'))
    expect(await forge.host.sso.enable({ group: 'acme' })).toMatchObject({ enabled: true, name: 'acme-saml' })
    expect(await acme().list({ group: 'acme' })).toMatchObject({ totalResults: 2 })
  })
})

describe('membership', () => {
  test('is restored after its removal, and has at least the inherited access level', async () => {
    await create('ann')
    await forge.host.members.remove({ group: 'acme', user: 'ann' })
    await create('ann')
    expect(await levelOf('ann')).toBe(10)
    await forge.host.sso.linkIdentity({ group: 'acme/tools', user: 'linked', externalUid: 'tools-1' })
    const tools = forge.platform.as({ scim: 'tools-scim' }).scim
    const resource = newUser('linked', { externalId: 'tools-1' })
    await tools.create({ group: 'acme/tools', resource })
    expect(await levelOf('linked', 'acme/tools')).toBe(30)
  })

  test('includes the SAML identity for administrators of the group only', async () => {
    const { id } = await forge.host.users.get({ user: 'linked' })
    const identity = { externUid: 'linked-a', provider: 'acme-saml', samlProviderId: expect.any(Number) }
    const member = await forge.as('olga').members.get({ group: 'acme', user: id })
    expect(member.groupSamlIdentity).toEqual(identity)
    const { items } = await forge.as('root').members.list({ group: 'acme', inherited: true })
    expect(Object.fromEntries(items.map(({ username, groupSamlIdentity }) => [username, groupSamlIdentity]))).toEqual({
      olga: { ...identity, externUid: 'OLGA-1' },
      linked: identity,
      guest: null,
    })
    expect(await forge.as('guest').members.get({ group: 'acme', user: id })).not.toHaveProperty('groupSamlIdentity')
    await forge.host.members.add({ group: 'plain', users: [id], accessLevel: 10 })
    expect(await forge.host.members.get({ group: 'plain', user: id })).not.toHaveProperty('groupSamlIdentity')
  })
})
