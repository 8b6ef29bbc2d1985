import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { demoWithCode, type FakeForge } from '@forgelet/fixtures'
import { describe, expect, test } from 'vitest'
import {
  type SettingName,
  settingDefinition,
  settingNames,
} from '../../packages/core/src/features/administration/settings/definition.ts'
import { client, type Send } from '../contract/client.ts'
import { newSshKey } from '../contract/ssh-keys.ts'
import { root } from '../docs/snippets.ts'
import { newUser, scimSeed } from '../scim-world.ts'
import { world } from '../sqlite-world.ts'
import { withStorages } from '../storage-names.ts'
import { observedElsewhere } from './evidence.ts'
import { ecdsaKey, rsaKey } from './public-keys.ts'

/** Every setting that the reference lists with an effect has one that can be observed: a value changes what a caller sees. */

interface World {
  readonly forge: FakeForge
  readonly send: Send
}

type Change = NonNullable<Parameters<FakeForge['host']['settings']['update']>[0]>

interface Effect {
  /** A value other than the default, with the settings that it requires. */
  readonly change: Change
  /** Other settings, with and without the change. */
  readonly given?: Change
  /** What a caller sees: different with the change. */
  readonly observe: (world: World) => Promise<unknown>
  readonly seed?: typeof demoWithCode
}

const project = 'acme/web'
const outcome = async (call: Promise<unknown>) => {
  try {
    await call
    return 'accepted'
  } catch (error) {
    return (error as Error).message
  }
}

const provision = ({ forge }: World) =>
  outcome(
    forge.platform
      .as({ scim: 'acme-scim' })
      .scim.create({ group: 'acme', resource: newUser('dora', { emails: 'dora@bad.example' }) }),
  )

const addKey =
  (key: string) =>
  ({ forge }: World) =>
    outcome(forge.host.keys.create({ user: 'alice', key }))

const setPassword =
  (password: string) =>
  ({ forge }: World) =>
    outcome(forge.host.passwords.set({ user: 'alice', password }))

const createUser = async ({ forge }: World) => {
  const { external, privateProfile } = await forge.host.users.create({ username: 'dora', email: 'dora@acme.example' })
  const user = await forge.host.users.get({ user: 'dora' })
  return [external, privateProfile, 'canCreateGroup' in user && user.canCreateGroup]
}

/** The message to an assignee of a new issue. */
const readMail = async ({ forge }: World) => {
  await forge.as('alice').issues.create({ project, title: 'Read me', assignees: ['bob'] })
  await forge.mail.drain()
  return forge.mail.messages.at(-1)?.text.replace(/key=\S+|notifications\/\S+/g, '')
}

const repeated = async (count: number, status: () => Promise<number>) => {
  const statuses: number[] = []
  for (let index = 0; index < count; index++) statuses.push(await status())
  return statuses
}

const renderImage = async ({ forge }: World) =>
  (await forge.as('alice').markdown.render({ text: '![x](https://images.example/x.png)' })).html

const imageProxy = {
  given: { assetProxyEnabled: true, assetProxyUrl: 'https://proxy.example', assetProxySecretKey: 'hush' },
  observe: renderImage,
} satisfies Pick<Effect, 'given' | 'observe'>

const addHook =
  (url: string) =>
  ({ forge }: World) =>
    outcome(forge.as('alice').hooks.create({ project, url }))

const page = (path: string) => async (forge: FakeForge) => {
  const response = await forge.fetch(path, { headers: { accept: 'text/html' }, redirect: 'manual' })
  return [response.status, response.headers.get('location'), await response.text()]
}

const signIn = (forge: FakeForge) =>
  forge.fetch('/-/sign_in', {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ username: 'alice', password: 'correct horse' }),
  })

const putPackage = ({ send }: World, size: number) =>
  send('PUT /projects/acme%2Fweb/packages/generic/tool/1.0.0/file', { as: 'alice', raw: new Uint8Array(size) })

const megabyte = 1024 ** 2

const diagramEffect: Effect = {
  change: { diagramtoolEnabled: true, diagramtoolUrl: 'https://diagrams.example' },
  observe: async ({ forge }) =>
    (await forge.platform.markdown.render({ text: '```plantuml\na -> b\n```', gfm: true })).html,
}

const effects: Partial<Record<SettingName, Effect>> = {
  domainWhitelist: { change: { domainWhitelist: ['good.example'] }, observe: provision, seed: scimSeed },
  domainBlacklist: {
    change: { domainBlacklist: ['bad.example'] },
    given: { domainBlacklist: ['other.example'], domainBlacklistEnabled: true },
    observe: provision,
    seed: scimSeed,
  },
  domainBlacklistEnabled: {
    change: { domainBlacklist: ['bad.example'], domainBlacklistEnabled: true },
    given: { domainBlacklist: ['bad.example'] },
    observe: provision,
    seed: scimSeed,
  },
  passwordAuthenticationEnabledForWeb: {
    change: { passwordAuthenticationEnabledForWeb: false },
    async observe({ forge }) {
      await forge.host.passwords.set({ user: 'alice', password: 'correct horse' })
      const [, , text] = await page('/-/sign_in')(forge)
      return [String(text).includes('name="password"'), (await signIn(forge)).headers.has('set-cookie')]
    },
  },
  minimumPasswordLength: { change: { minimumPasswordLength: 20 }, observe: setPassword('correct horse 1A!') },
  passwordNumberRequired: { change: { passwordNumberRequired: true }, observe: setPassword('correct horse') },
  passwordLowercaseRequired: { change: { passwordLowercaseRequired: true }, observe: setPassword('CORRECT HORSE') },
  passwordUppercaseRequired: { change: { passwordUppercaseRequired: true }, observe: setPassword('correct horse') },
  passwordSymbolRequired: { change: { passwordSymbolRequired: true }, observe: setPassword('correcthorse') },
  userDefaultExternal: { change: { userDefaultExternal: true }, observe: createUser },
  userDefaultInternalRegex: {
    change: { userDefaultInternalRegex: '@acme\\.example$' },
    given: { userDefaultExternal: true },
    observe: createUser,
  },
  userDefaultsToPrivateProfile: { change: { userDefaultsToPrivateProfile: true }, observe: createUser },
  canCreateGroup: { change: { canCreateGroup: false }, observe: createUser },
  sessionExpireDelay: {
    change: { sessionExpireDelay: 5 },
    async observe({ forge }) {
      await forge.host.passwords.set({ user: 'alice', password: 'correct horse' })
      const [cookie = ''] = (await signIn(forge)).headers.get('set-cookie')?.split(';') ?? []
      await forge.clock.advance({ minutes: 6 })
      return (await forge.fetch('/acme/tools/deploy', { headers: { cookie, accept: 'text/html' } })).status
    },
  },
  enabledGitAccessProtocol: {
    change: { enabledGitAccessProtocol: 'ssh' },
    async observe({ forge }) {
      const url = `/${project}.git/info/refs?service=git-upload-pack`
      return (await forge.fetch(url, { headers: { authorization: `Basic ${btoa('x:alice-token')}` } })).status
    },
  },
  rsaKeyRestriction: { change: { rsaKeyRestriction: 4_096 }, observe: addKey(rsaKey()) },
  dsaKeyRestriction: {
    // No current OpenSSL makes DSA keys; the message lists the permitted kinds.
    change: { dsaKeyRestriction: -1 },
    given: { rsaKeyRestriction: -1 },
    observe: addKey(rsaKey()),
  },
  ecdsaKeyRestriction: { change: { ecdsaKeyRestriction: 384 }, observe: addKey(ecdsaKey()) },
  ed25519KeyRestriction: { change: { ed25519KeyRestriction: -1 }, observe: addKey(newSshKey('alice')) },
  deletionAdjournedPeriod: {
    change: { deletionAdjournedPeriod: 3 },
    async observe({ forge }) {
      const { projects } = forge.as('alice')
      // By id, because the path changes.
      const { id } = await projects.get({ project })
      await projects.remove({ project })
      return outcome(projects.restore({ project: id }))
    },
  },
  defaultProjectVisibility: {
    change: { defaultProjectVisibility: 'internal' },
    observe: async ({ forge }) => (await forge.as('alice').projects.create({ name: 'Fresh' })).visibility,
  },
  defaultGroupVisibility: {
    change: { defaultGroupVisibility: 'internal' },
    observe: async ({ forge }) => (await forge.as('alice').groups.create({ name: 'New' })).visibility,
  },
  defaultSnippetVisibility: {
    change: { defaultSnippetVisibility: 'internal' },
    async observe({ forge }) {
      const snippet = { title: 'New', fileName: 'new', content: 'new' }
      return (await forge.as('alice').snippets.create(snippet)).visibility
    },
  },
  restrictedVisibilityLevels: {
    change: { restrictedVisibilityLevels: ['public', 'internal'] },
    async observe({ forge }) {
      const { projects, groups, snippets } = forge.as('alice')
      const content = { title: 'New', fileName: 'new', content: 'new' }
      const { visibility } = await projects.create({ name: 'Fresh' })
      return [
        visibility,
        await outcome(projects.create({ name: 'Open', visibility: 'public' })),
        await outcome(projects.update({ project: 'alice/fresh', visibility: 'internal' })),
        await outcome(groups.create({ name: 'Open', visibility: 'internal' })),
        await outcome(groups.update({ group: 'acme', visibility: 'internal' })),
        await outcome(snippets.create({ ...content, visibility: 'public' })),
      ]
    },
  },
  defaultBranchName: {
    change: { defaultBranchName: 'trunk' },
    observe: async ({ forge }) => (await forge.as('alice').projects.create({ name: 'Fresh' })).defaultBranch,
  },
  defaultProjectsLimit: {
    change: { defaultProjectsLimit: 0 },
    async observe({ forge }) {
      await forge.host.users.create({ username: 'dora' })
      return outcome(forge.as('dora').projects.create({ name: 'First' }))
    },
  },
  defaultProjectCreation: {
    change: { defaultProjectCreation: 0 },
    observe: async ({ forge }) => (await forge.as('alice').groups.create({ name: 'New' })).projectCreationLevel,
  },
  defaultBranchProtection: {
    change: { defaultBranchProtection: 1 },
    async observe({ forge }) {
      const group = await forge.as('alice').groups.create({ name: 'Plain' })
      return (await forge.as('alice').groups.get({ group: group.id })).defaultBranchProtection
    },
  },
  defaultCiConfigPath: {
    change: { defaultCiConfigPath: 'ci/main.yml' },
    async observe({ forge }) {
      const { id } = await forge.as('alice').projects.create({ name: 'Fresh' })
      return (await forge.host.projects.get({ project: id })).ciConfigPath
    },
  },
  archiveBuildsInHumanReadable: {
    change: { archiveBuildsInHumanReadable: '1 day' },
    async observe({ forge }) {
      const job = { name: 'build', stage: 'build', status: 'failed' } as const
      const { id } = await forge.host.pipelines.record({ project, ref: 'main', sha: 'a'.repeat(40), jobs: [job] })
      await forge.clock.advance({ days: 2 })
      return outcome(forge.as('alice').pipelines.retry({ project, pipeline: id }))
    },
  },
  defaultArtifactsExpireIn: {
    change: { defaultArtifactsExpireIn: '2 days' },
    async observe({ forge }) {
      const { id: environment } = await forge.as('bob').environments.create({ project, name: 'review' })
      const artifacts = [{ fileType: 'archive', filename: 'site.zip', size: 1 }]
      const job = { id: 1, finishedAt: '2026-11-01T00:00:00.000Z', artifacts }
      const { deployable } = await forge
        .as('bob')
        .deployments.create({ project, environment, ref: 'main', sha: 'a'.repeat(40), job })
      return deployable?.artifactsExpireAt
    },
  },
  repositoryStorages: {
    change: { repositoryStorages: ['fast'] },
    async observe({ forge }) {
      const { id } = await forge.as('alice').projects.create({ name: 'Fresh' })
      return (await forge.host.projects.get({ project: id })).repositoryStorage
    },
  },
  userShowAddSshKeyMessage: {
    change: { userShowAddSshKeyMessage: false },
    async observe({ forge }) {
      await forge.host.passwords.set({ user: 'alice', password: 'correct horse' })
      const [cookie = ''] = (await signIn(forge)).headers.get('set-cookie')?.split(';') ?? []
      const response = await forge.fetch('/acme/web', { headers: { cookie, accept: 'text/html' } })
      return (await response.text()).includes('add an SSH key')
    },
  },
  fileTemplateProjectId: {
    change: { fileTemplateProjectId: 1 },
    async observe({ forge }) {
      const author = { name: 'Ada', email: 'ada@acme.example' }
      const files = [{ path: 'gitignore/Ours.gitignore', content: 'ours' }]
      await forge.host.commits.import({ project: 1, commits: [{ message: 'Add', author, files }] })
      return (await forge.platform.templates.list({ type: 'gitignores' })).items[0]
    },
  },
  diagramtoolEnabled: diagramEffect,
  diagramtoolUrl: diagramEffect,
  maxAttachmentSize: {
    change: { maxAttachmentSize: 1 },
    observe: ({ forge }) =>
      outcome(
        forge
          .as('alice')
          .uploads.create({ project, file: { fileName: 'a.txt', content: new Uint8Array(megabyte + 1) } }),
      ),
  },
  maxImportSize: {
    change: { maxImportSize: 1 },
    async observe({ forge }) {
      const file = new File([gzipSync('x'), new Uint8Array(megabyte)], 'a.tar.gz')
      const body = new FormData()
      body.set('path', 'imported')
      body.set('file', file)
      const headers = { 'private-token': 'alice-token' }
      return (await forge.fetch('/api/v4/projects/import', { method: 'POST', headers, body })).status
    },
  },
  maxPackageFileSize: {
    change: { maxPackageFileSize: 1 },
    observe: async (one) => (await putPackage(one, megabyte + 1)).status,
  },
  maxPackagesSize: {
    change: { maxPackagesSize: 1 },
    observe: async (one) => (await putPackage(one, megabyte + 1)).status,
  },
  diffMaxPatchBytes: {
    change: { diffMaxPatchBytes: 512_000 },
    async observe({ forge }) {
      const { commits, repository } = forge.as('alice')
      await forge.as('alice').projects.create({ name: 'Compared' })
      const commit = (content: string) =>
        commits.import({
          project: 'alice/compared',
          commits: [{ message: 'Next', files: [{ path: 'large.txt', content }] }],
        })
      await commit('small\n')
      const { head: from } = await repository.get({ project: 'alice/compared' })
      await commit(`${'a'.repeat(99)}\n`.repeat(1_500))
      const { diffs } = await repository.compare({ project: 'alice/compared', from: String(from), to: 'HEAD' })
      return diffs.map(({ diff }) => diff.length)
    },
  },
  issuesCreateLimit: {
    change: { issuesCreateLimit: 1 },
    observe: ({ send }) =>
      repeated(2, async () => (await send('POST /projects/acme%2Fweb/issues?title=x', { as: 'alice' })).status),
  },
  rawBlobRequestLimit: {
    change: { rawBlobRequestLimit: 1 },
    observe: ({ send }) =>
      repeated(2, async () => (await send('GET /projects/acme%2Fweb/repository/files/README.md/raw?ref=main')).status),
    seed: demoWithCode,
  },
  notesCreateLimit: {
    change: { notesCreateLimit: 1 },
    async observe({ forge, send }) {
      await forge.as('alice').issues.create({ project, title: 'Read me' })
      const { iid } = (await forge.as('alice').issues.list({ project })).items[0] ?? { iid: 0 }
      const path = `POST /projects/acme%2Fweb/issues/${iid}`
      const note = await send(`${path}/notes?body=x`, { as: 'alice' })
      return [note.status, (await send(`${path}/discussions?body=x`, { as: 'alice' })).status]
    },
  },
  searchRateLimit: {
    change: { searchRateLimit: 1 },
    observe: ({ send }) =>
      repeated(2, async () => (await send('GET /search?scope=issues&search=x', { as: 'alice' })).status),
  },
  snippetSizeLimit: {
    change: { snippetSizeLimit: 10 },
    async observe({ forge }) {
      const { snippets } = forge.as('alice')
      const { id } = await snippets.create({ title: 'New', fileName: 'new', content: 'short' })
      return [
        await outcome(snippets.create({ title: 'New', fileName: 'new', content: 'longer than that' })),
        await outcome(snippets.update({ snippet: id, content: 'longer than that' })),
      ]
    },
  },
  wikiPageMaxContentBytes: {
    change: { wikiPageMaxContentBytes: 1_024 },
    async observe({ forge }) {
      const { wikis } = forge.as('alice')
      await wikis.create({ project, title: 'Short', content: 'x' })
      const content = 'x'.repeat(1_025)
      return [
        await outcome(wikis.create({ project, title: 'Long', content })),
        await outcome(wikis.update({ project, slug: 'Short', content })),
      ]
    },
  },
  maxArtifactsSize: {
    change: { maxArtifactsSize: 1 },
    async observe({ forge }) {
      const job = { name: 'build', stage: 'build', status: 'running' } as const
      const { id } = await forge.host.pipelines.record({ project, ref: 'main', sha: 'a'.repeat(40), jobs: [job] })
      const [row] = (await forge.host.pipelineJobs.list({ project, pipeline: id })).items
      const file = { fileName: 'artifacts.zip', content: new Uint8Array(megabyte + 1) }
      return outcome(forge.host.pipelineJobs.storeArtifacts({ project, job: row?.id ?? 0, file }))
    },
  },
  maxPersonalAccessTokenLifetime: {
    change: { maxPersonalAccessTokenLifetime: 10 },
    async observe({ forge }) {
      const { tokens } = forge.as('alice')
      const { expiresAt } = await tokens.create({})
      return [expiresAt, await outcome(tokens.create({ expiresAt: '2026-04-01' }))]
    },
  },
  assetProxyEnabled: { ...imageProxy, given: {}, change: imageProxy.given },
  assetProxyUrl: { ...imageProxy, change: { assetProxyUrl: 'https://other.example' } },
  assetProxySecretKey: { ...imageProxy, change: { assetProxySecretKey: 'other' } },
  assetProxyWhitelist: { ...imageProxy, change: { assetProxyWhitelist: ['images.example'] } },
  avatarserviceEnabled: {
    change: { avatarserviceEnabled: false },
    observe: async ({ forge }) => (await forge.as('alice').users.get({ user: 'bob' })).avatarUrl,
  },
  allowLocalRequestsFromSystemHooks: {
    change: { allowLocalRequestsFromSystemHooks: false },
    observe: ({ forge }) => outcome(forge.host.hooks.create({ url: 'http://127.0.0.1:9/' })),
  },
  allowLocalRequestsFromWebHooksAndServices: {
    change: { allowLocalRequestsFromWebHooksAndServices: true },
    observe: addHook('http://127.0.0.1:9/'),
  },
  outboundLocalRequestsWhitelist: {
    change: { outboundLocalRequestsWhitelist: ['127.0.0.1'] },
    observe: addHook('http://127.0.0.1:9/'),
  },
  homePageUrl: {
    change: { homePageUrl: 'https://home.example/' },
    observe: async ({ forge }) => (await page('/')(forge)).slice(0, 2),
  },
  afterSignOutPath: {
    change: { afterSignOutPath: 'https://home.example/bye' },
    async observe({ forge }) {
      const response = await forge.fetch('/-/sign_out', { method: 'POST', redirect: 'manual' })
      return response.headers.get('location')
    },
  },
  emailAuthorInBody: { change: { emailAuthorInBody: true }, observe: readMail },
  emailAdditionalText: { change: { emailAdditionalText: 'Confidential' }, observe: readMail },
  commitEmailHostname: {
    change: { commitEmailHostname: 'private.example' },
    async observe({ forge }) {
      const { commits, mergeRequests } = forge.as('alice')
      const mergeCommitTemplate = '%{title}\n\n%{reviewed_by}'
      await forge.as('alice').projects.create({ name: 'Merged', settings: { mergeCommitTemplate } })
      const at = { project: 'alice/merged' }
      const commit = (branch: string) =>
        commits.import({ ...at, commits: [{ branch, message: branch, files: [{ path: branch, content: 'x' }] }] })
      await commit('main')
      await forge.as('alice').branches.create({ ...at, branch: 'topic', ref: 'main' })
      await commit('topic')
      const branches = { sourceBranch: 'topic', targetBranch: 'main' }
      const { iid } = await mergeRequests.create({ ...at, ...branches, title: 'Merge', reviewers: ['alice'] })
      await mergeRequests.merge({ ...at, mergeRequest: iid })
      return (await forge.as('alice').commits.get({ ...at, sha: 'main' })).message
    },
  },
  signInText: {
    change: { signInText: 'Ask **Ada** for an account' },
    observe: async ({ forge }) => String((await page('/-/sign_in')(forge))[2]).includes('<strong>Ada</strong>'),
  },
  allowGroupOwnersToManageLdap: {
    change: { allowGroupOwnersToManageLdap: false },
    async observe({ forge }) {
      await forge.host.members.sync({ group: 'acme', user: 'dave', accessLevel: 20 })
      return outcome(forge.as('alice').members.setOverride({ group: 'acme', user: 'dave' }))
    },
  },
}

const effective = settingNames.filter((name) => settingDefinition(name).effect !== undefined)

test('every setting with an effect is tried', () => {
  for (const [name, file] of Object.entries(observedElsewhere))
    expect(readFileSync(join(root, file), 'utf8')).toContain(name)
  expect([...Object.keys(effects), ...Object.keys(observedElsewhere)].toSorted()).toEqual(effective.toSorted())
})

describe.each(Object.entries(effects))('%s', (_, { change, given = {}, observe, seed }) => {
  const observeWith = async (...changes: readonly Change[]) => {
    const http = { rateLimits: true, sshPort: 2222 }
    await using forge = await world({
      time: '2026-03-10T12:00:00Z',
      http,
      ...withStorages('default', 'fast'),
      ...(seed && { seed }),
    })
    for (const one of changes) if (Object.keys(one).length) await forge.host.settings.update(one)
    return await observe({ forge, send: client(forge) })
  }

  test('changes what a caller sees', async () => {
    const before = await observeWith(given)
    expect(await observeWith(given)).toEqual(before)
    expect(await observeWith({ ...given, ...change })).not.toEqual(before)
  })
})
