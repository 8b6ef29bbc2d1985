import type { FakeForge } from '@forgelet/fixtures'
import { Gitlab } from '@gitbeaker/rest'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { world } from '../sqlite-world.ts'

const apiOf = (forge: FakeForge, user: string) => new Gitlab({ host: forge.url, token: forge.tokens[user] as string })

const readUserIds = async ({ host }: FakeForge): Promise<Record<string, number>> => {
  const { items } = await host.users.list({ perPage: 100 })
  return Object.fromEntries(items.map(({ id, username }) => [username, id]))
}

const usernames = (members: readonly { username?: unknown }[]) => members.map(({ username }) => username)

async function checkMembers(forge: FakeForge) {
  const { mallory, bob, carol, alice } = (await readUserIds(forge)) as Record<
    'mallory' | 'bob' | 'carol' | 'alice',
    number
  >
  const { ProjectMembers, GroupMembers } = apiOf(forge, 'alice')
  for (const [api, id] of [
    [ProjectMembers, 'acme/web'],
    [GroupMembers, 'acme'],
  ] as const) {
    const added = await api.add(id, 20, { userId: mallory, expiresAt: '2099-12-31' })
    expect(added).toMatchObject({ id: mallory, access_level: 20, expires_at: '2099-12-31' })
    expect(await api.edit(id, mallory, 30)).toMatchObject({ access_level: 30, expires_at: '2099-12-31' })
    expect(await api.show(id, mallory)).toMatchObject({ username: 'mallory' })
    expect(await api.show(id, bob, { includeInherited: true })).toMatchObject({ access_level: 30 })
    expect(usernames(await api.all(id))).toContain('mallory')
    expect(usernames(await api.all(id, { includeInherited: true }))).toEqual(
      expect.arrayContaining(['alice', 'mallory']),
    )
    expect(usernames(await api.all(id, { query: 'mall' }))).toEqual(['mallory'])
    expect(usernames(await api.all(id, { userIds: [mallory, carol] } as object))).toContain('mallory')
    await expect(api.add(id, 30, { userId: mallory })).rejects.toThrow('Member already exists')
    await expect(api.add(id, 30, { userId: 99_999 })).rejects.toThrow('404 User Not Found')
    await expect(api.add(id, 5, { userId: bob })).rejects.toThrow()
    await api.remove(id, mallory)
    await expect(api.show(id, mallory)).rejects.toThrow('404 Not found')
  }
  await expect(GroupMembers.remove('acme', alice)).rejects.toThrow('403 Forbidden')

  for (let count = 0; count < 25; count++) {
    await forge.host.users.create({ username: `extra-${count}` })
    await forge.host.members.add({ project: 'acme/web', users: [`extra-${count}`], accessLevel: 10 })
  }
  expect(await ProjectMembers.all('acme/web', { perPage: 10 })).toHaveLength(27)

  await forge.host.members.sync({ group: 'acme', user: 'bob', accessLevel: 30 })
  expect(await GroupMembers.setOverrideFlag('acme', bob)).toMatchObject({ override: true })
  expect(await GroupMembers.removeOverrideFlag('acme', bob)).toMatchObject({ override: false })
}

async function checkAccessRequests(forge: FakeForge) {
  const { mallory } = (await readUserIds(forge)) as { mallory: number }
  const requester = apiOf(forge, 'mallory')
  const maintainer = apiOf(forge, 'alice')
  for (const [from, to, id] of [
    [requester.ProjectAccessRequests, maintainer.ProjectAccessRequests, 'acme/web'],
    [requester.GroupAccessRequests, maintainer.GroupAccessRequests, 'acme'],
  ] as const) {
    const request = await from.request(id)
    expect(request).toMatchObject({ username: 'mallory', requested_at: expect.any(String) })
    await expect(from.request(id)).rejects.toThrow('already exists in source')
    await expect(from.all(id)).rejects.toThrow('403 Forbidden')
    expect(await to.all(id)).toEqual([request])
    await to.deny(id, mallory)
    expect(await to.all(id)).toEqual([])
    await from.request(id)
    await from.deny(id, mallory)
    await from.request(id)
    expect(await to.approve(id, mallory, { accessLevel: 20 })).toMatchObject({ id: mallory, access_level: 20 })
    await expect(to.approve(id, mallory)).rejects.toThrow('404 Not found')
  }
}

async function checkCustomAttributes(forge: FakeForge) {
  const { bob } = (await readUserIds(forge)) as { bob: number }
  const { UserCustomAttributes, GroupCustomAttributes, ProjectCustomAttributes } = apiOf(forge, 'root')
  for (const [api, id] of [
    [UserCustomAttributes, bob],
    [GroupCustomAttributes, 'acme'],
    [ProjectCustomAttributes, 'acme/web'],
  ] as const) {
    expect(await api.set(id, 'tier', 'gold')).toEqual({ key: 'tier', value: 'gold' })
    expect(await api.set(id, 'tier', 'silver')).toEqual({ key: 'tier', value: 'silver' })
    expect(await api.show(id, 'tier')).toEqual({ key: 'tier', value: 'silver' })
    expect(await api.all(id)).toEqual([{ key: 'tier', value: 'silver' }])
    await api.remove(id, 'tier')
    await expect(api.show(id, 'tier')).rejects.toThrow('404 Not found')
  }
  await expect(apiOf(forge, 'bob').UserCustomAttributes.all(bob)).rejects.toThrow('403 Forbidden')
}

const scenarios = {
  members: checkMembers,
  'access requests': checkAccessRequests,
  'custom attributes': checkCustomAttributes,
}

afterEach(() => vi.unstubAllGlobals())

describe.each(Object.entries(scenarios))('@gitbeaker/rest: %s', (_name, check) => {
  test('with a server on a port', async () => {
    await using forge = await world({ port: 0 })
    await check(forge)
  })

  test('without a socket', async () => {
    await using forge = await world()
    vi.stubGlobal('fetch', forge.fetch)
    await check(forge)
  })
})
