import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newSshKey } from '../../../../../../test/contract/ssh-keys.ts'
import { newUser, scimSeed } from '../../../../../../test/scim-world.ts'
import { withStorages } from '../../../../../../test/storage-names.ts'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const change = (input: Parameters<FakeForge['host']['settings']['update']>[0]) => forge.host.settings.update(input)

describe('settings', () => {
  test('have their defaults until they are set', async () => {
    const settings = await forge.as('root').settings.get()
    expect(settings).toMatchObject({ id: 1, signupEnabled: false, defaultBranchProtection: 2, domainWhitelist: null })
    expect(settings.createdAt).toBe(settings.updatedAt)
  })

  test('are changed individually', async () => {
    const before = await forge.host.settings.get()
    const after = await forge.as('root').settings.update({ signInText: 'Hello', domainBlacklist: ['spam.example'] })
    expect(after.updatedAt > before.updatedAt).toBe(true)
    expect(after).toEqual({
      ...before,
      signInText: 'Hello',
      domainBlacklist: ['spam.example'],
      updatedAt: after.updatedAt,
    })
    expect(await forge.host.settings.get()).toEqual(after)
  })

  test.each([
    ['a text', { signInText: null }, { signInText: null }],
    ['a list', { domainWhitelist: [] }, { domainWhitelist: [] }],
    ['a fraction', { pollingIntervalMultiplier: 1.5 }, { pollingIntervalMultiplier: 1.5 }],
    ['a choice', { enabledGitAccessProtocol: 'nil' as const }, { enabledGitAccessProtocol: null }],
    ['an old name', { signinEnabled: false }, { passwordAuthenticationEnabledForWeb: false, signinEnabled: false }],
  ])('store %s', async (_, input, expected) => {
    await change({ signInText: 'Hello', enabledGitAccessProtocol: 'ssh', domainWhitelist: ['a.example'] })
    await change(input)
    expect(await forge.host.settings.get()).toMatchObject(expected)
  })

  test('can be read and changed by administrators only', async () => {
    await expect(forge.as('alice').settings.get()).rejects.toMatchObject({ code: 'forbidden' })
    await expect(forge.as('alice').settings.update({ signInText: 'x' })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(forge.platform.settings.get()).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test('are not changed by a rejected call', async () => {
    const before = await forge.host.settings.get()
    await expect(change({ signInText: 'x', sessionExpireDelay: -1 })).rejects.toMatchObject({
      code: 'invalid',
      problems: [{ fields: ['sessionExpireDelay'], message: 'must be greater than or equal to 0' }],
    })
    expect(await forge.host.settings.get()).toEqual(before)
  })

  test('require at least one change', async () => {
    await expect(change({})).rejects.toThrow(/, terms, .* are missing, at least one parameter must be provided$/)
  })

  test('are accepted before the settings that they require', async () => {
    expect(await change({ spamfilterEnabled: true })).toMatchObject({ spamfilterEnabled: true })
    await change({ externalAuthorizationServiceEnabled: true, domainBlacklistEnabled: true, enforceTerms: true })
    await expect(change({ domainBlacklist: ['bad.example'], terms: 'Be kind.' })).resolves.toMatchObject({
      domainBlacklistEnabled: true,
      enforceTerms: true,
    })
  })

  test('take effect inside their transaction, and are reverted when it fails', async () => {
    await expect(
      forge.platform.atomic(async (open) => {
        const host = open.as({ system: 'test' })
        await host.settings.update({ defaultGroupVisibility: 'public' })
        expect(await host.groups.create({ name: 'Inside' })).toMatchObject({ visibility: 'public' })
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect(await forge.host.settings.get()).toMatchObject({ defaultGroupVisibility: 'private' })
    expect(await forge.host.groups.create({ name: 'Outside' })).toMatchObject({ visibility: 'private' })
  })

  test('take effect after the transaction that changed them', async () => {
    await forge.host.settings.get()
    await forge.platform.atomic((open) =>
      open.as({ system: 'test' }).settings.update({ defaultGroupVisibility: 'internal' }),
    )
    expect(await forge.host.groups.create({ name: 'Outside' })).toMatchObject({ visibility: 'internal' })
  })

  test('can be set with forge.make', async () => {
    expect(await forge.make.settings({ signInText: 'Made' })).toMatchObject({ signInText: 'Made' })
    expect(await forge.host.settings.get()).toMatchObject({ signInText: 'Made' })
  })

  test('are reset with the seed data', async () => {
    await change({ signInText: 'Hello' })
    await forge.reset()
    expect(await forge.host.settings.get()).toMatchObject({ signInText: null })
  })
})

describe('settings of the paid tier', () => {
  test('are neither returned nor accepted without a license', async () => {
    await using free = await world({ tier: 'free' })
    const { settings } = free.host
    expect(await settings.get()).not.toHaveProperty('deletionAdjournedPeriod')
    expect(await settings.update({ deletionAdjournedPeriod: 3, signInText: 'x' })).toMatchObject({ signInText: 'x' })
    await expect(settings.update({ deletionAdjournedPeriod: 3 })).rejects.toThrow('at least one parameter')
  })

  test('are returned and accepted with a license', async () => {
    expect(await change({ deletionAdjournedPeriod: 3 })).toMatchObject({ deletionAdjournedPeriod: 3 })
  })
})

describe('e-mail domains of new accounts', () => {
  let scim: FakeForge
  beforeEach(async () => {
    scim = await world({ seed: scimSeed })
  })
  afterEach(() => scim.close())

  const provision = (email: string) =>
    scim.platform.as({ scim: 'acme-scim' }).scim.create({ group: 'acme', resource: newUser('dora', { emails: email }) })

  test('must match the allow list', async () => {
    await scim.host.settings.update({ domainWhitelist: ['*.good.example'] })
    await expect(provision('dora@bad.example')).rejects.toMatchObject({
      code: 'invalid',
      problems: [{ fields: ['email'], message: 'domain is not authorized for sign-up' }],
    })
    await provision('dora@mail.good.example')
  })

  test('must not match the block list while it is enabled', async () => {
    await scim.host.settings.update({ domainBlacklist: ['bad.example'], domainBlacklistEnabled: true })
    await expect(provision('dora@bad.example')).rejects.toMatchObject({
      problems: [{ fields: ['email'], message: 'is not from an allowed domain.' }],
    })
    await scim.host.settings.update({ domainBlacklistEnabled: false })
    await provision('dora@bad.example')
  })

  test('are not restricted for accounts that administrators create', async () => {
    await scim.host.settings.update({ domainWhitelist: ['good.example'] })
    const { id } = await scim.as('root').users.create({ username: 'dora', email: 'dora@bad.example' })
    expect(id).toBeGreaterThan(0)
  })
})

describe('new projects, groups and snippets', () => {
  test('get the default visibility of the settings', async () => {
    await change({
      defaultProjectVisibility: 'internal',
      defaultGroupVisibility: 'internal',
      defaultSnippetVisibility: 'private',
    })
    const alice = forge.as('alice')
    const group = await alice.groups.create({ name: 'New' })
    expect(group).toMatchObject({ visibility: 'internal' })
    expect(await alice.projects.create({ namespace: group.id, name: 'Fresh' })).toMatchObject({
      visibility: 'internal',
    })
    const snippet = { title: 'New', fileName: 'new', content: 'new' }
    expect(await alice.snippets.create(snippet)).toMatchObject({ visibility: 'private' })
    expect(await alice.snippets.create({ ...snippet, visibility: 'public' })).toMatchObject({ visibility: 'public' })
  })

  test('snippets are private by default', async () => {
    const snippet = { title: 'New', fileName: 'new', content: 'new' }
    expect(await forge.as('alice').snippets.create(snippet)).toMatchObject({ visibility: 'private' })
  })

  test('are never more visible than their container', async () => {
    await change({ defaultProjectVisibility: 'public', defaultGroupVisibility: 'public' })
    const alice = forge.as('alice')
    const { id } = await alice.groups.create({ name: 'Hidden', visibility: 'private' })
    expect(await alice.groups.create({ parent: id, name: 'Below' })).toMatchObject({ visibility: 'private' })
    expect(await alice.projects.create({ namespace: id, name: 'Inside' })).toMatchObject({ visibility: 'private' })
  })

  test.each([
    [0, 'noone'],
    [1, 'maintainer'],
    [2, 'developer'],
  ] as const)(
    'groups with defaultProjectCreation %i get the level %s',
    async (defaultProjectCreation, projectCreationLevel) => {
      await change({ defaultProjectCreation })
      expect(await forge.as('alice').groups.create({ name: 'New' })).toMatchObject({ projectCreationLevel })
      expect(await forge.as('alice').groups.create({ name: 'Own', projectCreationLevel: 'maintainer' })).toMatchObject({
        projectCreationLevel: 'maintainer',
      })
    },
  )

  test('groups inherit defaultBranchProtection unless they have their own', async () => {
    const alice = forge.as('alice')
    await alice.groups.create({ name: 'Plain' })
    await alice.groups.create({ name: 'Own', settings: { defaultBranchProtection: 3 } })
    await change({ defaultBranchProtection: 1 })
    expect(await alice.groups.get({ group: 'plain' })).toMatchObject({ defaultBranchProtection: 1 })
    expect(await alice.groups.get({ group: 'own' })).toMatchObject({ defaultBranchProtection: 3 })
  })

  test('projects get the default pipeline file and storage', async () => {
    await using forge = await world(withStorages('fast'))
    await forge.host.settings.update({ defaultCiConfigPath: 'ci/main.yml', repositoryStorages: ['fast'] })
    await forge.as('alice').projects.create({ name: 'Stored' })
    expect(await forge.as('root').projects.get({ project: 'alice/stored' })).toMatchObject({
      ciConfigPath: 'ci/main.yml',
      repositoryStorage: 'fast',
    })
  })

  test('storages that the host has not configured are refused', async () => {
    const refused = { problems: [{ fields: ['repositoryStorages'], message: "can't include: fast, slow" }] }
    await expect(change({ repositoryStorages: ['default', 'fast', 'slow'] })).rejects.toMatchObject(refused)
    expect(await change({ repositoryStorages: ['default'] })).toMatchObject({ repositoryStorages: ['default'] })
  })

  test('projects are distributed over all storages', async () => {
    await using forge = await world(withStorages('one', 'two'))
    await forge.host.settings.update({ repositoryStorages: ['one', 'two'] })
    const used = new Set<string | undefined>()
    for (let count = 0; count < 40 && used.size < 2; count++) {
      const { id } = await forge.as('alice').projects.create({ name: `Stored ${count}` })
      const { repositoryStorage } = await forge.as('root').projects.get({ project: id })
      used.add(repositoryStorage)
    }
    expect([...used].toSorted()).toEqual(['one', 'two'])
  })
})

describe('the projects limit', () => {
  const tooMany = {
    code: 'invalid',
    problems: [
      {
        fields: ['limitReached'],
        message: 'Your project limit is 1 projects! Please contact your administrator to increase it',
      },
    ],
  }

  test('applies to the personal namespaces of users created afterwards', async () => {
    await change({ defaultProjectsLimit: 1 })
    await forge.host.users.create({ username: 'dora' })
    const dora = forge.as('dora')
    await dora.projects.create({ name: 'First' })
    await expect(dora.projects.create({ name: 'Second' })).rejects.toMatchObject(tooMany)
    const { id } = await dora.groups.create({ name: 'Doras' })
    await dora.projects.create({ namespace: id, name: 'Third' })
    await forge.as('alice').projects.create({ name: 'First' })
    await forge.as('alice').projects.create({ name: 'Second' })
  })
})

describe('keys', () => {
  test('of a forbidden type are rejected', async () => {
    await change({ ed25519KeyRestriction: -1 })
    await expect(forge.host.keys.create({ user: 'alice', key: newSshKey('alice@laptop') })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('type is forbidden. Must be RSA, DSA, or ECDSA'),
    })
    await change({ ed25519KeyRestriction: 256 })
    await forge.host.keys.create({ user: 'alice', key: newSshKey('alice@laptop') })
  })
})

describe('avatars', () => {
  const avatarUrls = async () => {
    const alice = forge.as('alice')
    const { items: members } = await alice.members.list({ project: 'acme/web' })
    const { items: users } = await alice.users.list({ username: 'bob' })
    const [member] = members
    return [await alice.users.get(), await alice.users.get({ user: 'bob' }), users[0], member].map(
      (person) => person?.avatarUrl,
    )
  }

  test('come from the avatar service while it is enabled', async () => {
    for (const url of await avatarUrls()) expect(url).toContain('gravatar.com/avatar/')
  })

  test('are null without the avatar service, except for own avatars', async () => {
    await change({ avatarserviceEnabled: false })
    expect(await avatarUrls()).toEqual([null, null, null, null])
    await forge.host.users.update({ user: 'bob', avatarUrl: 'https://pictures.example/bob.png' })
    expect(await forge.as('alice').users.get({ user: 'bob' })).toMatchObject({
      avatarUrl: 'https://pictures.example/bob.png',
    })
  })
})

describe('rate limits', () => {
  test('for creating issues follow the settings', async () => {
    await using limited = await world({ http: { rateLimits: true } })
    const createIssue = async () => {
      const { status } = await limited.fetch(`${limited.url}/api/v4/projects/acme%2Fweb/issues`, {
        method: 'POST',
        headers: { 'private-token': limited.tokens.alice as string, 'content-type': 'application/json' },
        body: JSON.stringify({ title: 'One more' }),
      })
      return status
    }
    await limited.host.settings.update({ issuesCreateLimit: 2 })
    expect([await createIssue(), await createIssue(), await createIssue()]).toEqual([201, 201, 429])
    await limited.host.settings.update({ issuesCreateLimit: 0 })
    expect(await createIssue()).toBe(201)
  })
})

describe('artifacts of a deployment job', () => {
  const finishedAt = '2026-11-01T00:00:00.000Z'
  const artifacts = [{ fileType: 'archive', filename: 'site.zip', size: 1 }]
  const expiry = async (job: object) => {
    const bob = forge.as('bob')
    const environment = await bob.environments.create({ project: 'acme/web', name: `review/${Math.random()}` })
    const { deployable } = await bob.deployments.create({
      project: 'acme/web',
      environment: environment.id,
      ref: 'main',
      sha: 'a'.repeat(40),
      job: { id: 1, finishedAt, ...job },
    })
    return deployable?.artifactsExpireAt
  }

  test('expire as the settings define, unless the job has its own expiry', async () => {
    expect(await expiry({ artifacts })).toBe('2026-12-01T00:00:00.000Z')
    await change({ defaultArtifactsExpireIn: '2 days' })
    expect(await expiry({ artifacts })).toBe('2026-11-03T00:00:00.000Z')
    expect(await expiry({ artifacts, artifactsExpireAt: null })).toBe(null)
    expect(await expiry({ artifacts, artifactsExpireAt: finishedAt })).toBe(finishedAt)
    expect(await expiry({})).toBe(null)
    await change({ defaultArtifactsExpireIn: '0' })
    expect(await expiry({ artifacts })).toBe(null)
  })
})

describe('comparisons', () => {
  test('include the diff of a file up to the maximum size', async () => {
    const { commits, repository } = forge.as('alice')
    const line = `${'a'.repeat(99)}\n`
    const commit = (content: string) =>
      commits.import({
        project: 'alice/compared',
        commits: [{ message: 'Next', files: [{ path: 'large.txt', content }] }],
      })
    await forge.as('alice').projects.create({ name: 'Compared' })
    await commit('small\n')
    const { head: from } = await repository.get({ project: 'alice/compared' })
    await commit(line.repeat(1_500))
    const diffs = async () => {
      const { diffs } = await repository.compare({ project: 'alice/compared', from: from as string, to: 'HEAD' })
      return diffs.map(({ diff }) => diff.length)
    }
    expect(await diffs()).toEqual([0])
    await change({ diffMaxPatchBytes: 512_000 })
    expect((await diffs())[0]).toBeGreaterThan(150_000)
  })
})
