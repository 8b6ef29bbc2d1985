import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge, Seed } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fullSeed } from '../../../../../../test/full-seed.ts'
import { world } from '../../../../../../test/world.ts'
import { packArchive } from './pack-archive.ts'
import { withTemporaryFolder } from './temporary-folder.ts'

let forge: FakeForge
const open = async (seed: Seed = demoWithCode) => {
  forge = await world({ seed })
}
beforeEach(() => open())
afterEach(() => forge.close())

const project = 'acme/web'
const drain = () => forge.platform.jobs.drain()

const exportProject = async (of = project): Promise<Uint8Array<ArrayBuffer>> => {
  const { exports } = forge.as('root')
  await exports.create({ project: of })
  await drain()
  const { content } = await exports.download({ project: of })
  return buffer(content)
}

const toFile = (content: Uint8Array<ArrayBuffer>) => ({ fileName: 'a.tar.gz', content })

/** An archive with any content. */
const pack = (
  content: object,
  bundle?: Readable,
  kind: 'project' | 'group' = 'project',
): Promise<Uint8Array<ArrayBuffer>> =>
  withTemporaryFolder(async (folder) =>
    buffer(
      Readable.from(
        await packArchive(folder, { kind, content, omitted: [], createdAt: '2026-01-01T00:00:00Z', bundle }),
      ),
    ),
  )

const importAs = async (user: string, content: Uint8Array<ArrayBuffer>, path = 'copy') => {
  const { imports } = forge.as(user)
  const { id } = await imports.createProject({ path, file: toFile(content) })
  await drain()
  return imports.get({ project: id })
}

describe('an export', () => {
  test('is created by a job and expires after a day', async () => {
    const { exports } = forge.as('alice')
    expect(await exports.get({ project })).toMatchObject({
      exportStatus: 'none',
      isDownloadable: false,
      expiresAt: null,
    })
    await expect(exports.download({ project })).rejects.toMatchObject({ code: 'not_found' })
    await exports.create({ project })
    await exports.create({ project })
    expect(await exports.get({ project })).toMatchObject({ exportStatus: 'queued', fullPath: project })
    await drain()
    expect(await exports.get({ project })).toMatchObject({ exportStatus: 'finished', isDownloadable: true })
    const { fileName, size, content } = await exports.download({ project })
    expect([fileName, (await buffer(content)).length]).toEqual(['acme_web_export.tar.gz', size])
    await exports.create({ project })
    expect(await exports.get({ project })).toMatchObject({ exportStatus: 'regeneration_in_progress' })
    await drain()
    const { files } = forge.platform.ports
    expect((await files.list('archives/')).files).toHaveLength(1)
    await forge.clock.advance({ days: 2 })
    await drain()
    expect(await exports.get({ project })).toMatchObject({ exportStatus: 'none' })
    expect((await files.list('archives/')).files).toEqual([])
  })

  test('contains no IP addresses, browsers and private e-mail addresses', async () => {
    const call = { userAgent: 'SecretBrowser/8', ipAddress: '192.0.2.77' }
    const { snippets } = forge.platform.as({ user: 'carol' }, call)
    await snippets.create({ project, title: 'x', fileName: 'x', content: 'x', visibility: 'public' })
    const folder = gunzipSync(await exportProject()).toString('latin1')
    expect(folder).toContain('carol')
    for (const secret of ['SecretBrowser', '192.0.2.77', 'carol@example.com']) expect(folder).not.toContain(secret)
  })

  test('is limited to maintainers, and cannot be sent to an address', async () => {
    await expect(forge.as('bob').exports.create({ project })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(
      forge.as('alice').exports.create({ project, upload: { url: 'https://example.com' } }),
    ).rejects.toMatchObject({ code: 'invalid' })
  })

  test('is removed with its project', async () => {
    await exportProject()
    await forge.as('root').projects.remove({ project })
    await drain()
    expect((await forge.platform.ports.files.list('archives/')).files).toEqual([])
  })

  test('is removed with the group of its project', async () => {
    await exportProject()
    await forge.as('root').exports.create({ group: 'acme/tools' })
    await drain()
    expect((await forge.platform.ports.files.list('archives/')).files).toHaveLength(2)
    await forge.as('root').groups.remove({ group: 'acme' })
    await drain()
    expect((await forge.platform.ports.files.list('archives/')).files).toEqual([])
  })
})

/** What an import keeps of a project, without ids. */
const summarize = async (of: string) => {
  const { host } = forge
  const details = await host.projects.get({ project: of })
  const issues = (await host.issues.list({ project: of, sort: 'asc' })).items
  const notes = await Promise.all(
    issues.map(async ({ iid }) => (await host.notes.list({ project: of, issue: iid })).items.map(({ body }) => body)),
  )
  return {
    description: details.description,
    visibility: details.visibility,
    defaultBranch: details.defaultBranch,
    labels: (await host.labels.list({ project: of })).items.map(({ name }) => name),
    issues: issues.map(({ iid, title, state, confidential, author, createdAt }) => [
      iid,
      title,
      state,
      confidential,
      author.username,
      createdAt,
    ]),
    notes,
    mergeRequests: (await host.mergeRequests.list({ project: of })).items.map(({ title, state, sourceBranch }) => [
      title,
      state,
      sourceBranch,
    ]),
    branches: (await host.branches.list({ project: of })).items.map(({ name, commit }) => [name, commit.id]),
    tags: (await host.tags.list({ project: of })).items.map(({ name, target }) => [name, target]),
    protectedBranches: (await host.protectedBranches.list({ project: of })).items.map(({ name }) => name),
    snippets: (await host.snippets.list({ project: of })).items.map(({ title }) => title),
    wikiPages: (await host.wikis.list({ project: of })).items.map(({ title }) => title),
    badges: (await host.badges.list({ project: of })).items.filter(({ kind }) => kind === 'project').length,
    boards: (await host.boards.list({ project: of })).items.map(({ name }) => name),
    hooks: (await host.hooks.list({ project: of })).items.map(({ url }) => url),
  }
}

describe('an import', () => {
  test('by an administrator creates an equal project', async () => {
    await forge.close()
    await open(fullSeed)
    await forge.as('bob').releases.create({ project, tagName: 'v0.1.0' })
    await forge.as('bob').notes.create({ project, issue: 1, body: 'I take it.' })
    const archive = await exportProject()
    expect(await importAs('root', archive)).toMatchObject({
      importStatus: 'finished',
      importType: 'gitlab_project',
      importError: null,
      fullPath: 'root/copy',
      correlationId: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    const copy = await summarize('root/copy')
    const source = await summarize(project)
    // URLs of webhooks lose their credentials.
    expect({ ...copy, hooks: source.hooks }).toEqual(source)
    expect(copy.hooks).toEqual(['https://bot.example.com/events'])
    expect((await forge.host.releases.list({ project: 'root/copy' })).items).toMatchObject([
      { tagName: 'v0.1.0', author: { username: 'bob' } },
    ])
    expect((await forge.host.members.list({ project: 'root/copy' })).items.map(({ username }) => username)).toEqual(
      expect.arrayContaining(['carol', 'dave']),
    )
    expect(await forge.host.projects.get({ project: 'root/copy' })).toMatchObject({
      importStatus: 'finished',
      emptyRepo: false,
      tagList: ['website', 'hobby'],
    })
    expect((await forge.platform.ports.files.list('archives/imports/')).files).toEqual([])
    expect(JSON.stringify(await forge.host.hooks.list({ project: 'root/copy' }))).not.toContain('hush')
  })

  test('by another user makes the importer the author, and adds no members', async () => {
    const archive = await exportProject()
    expect(await importAs('mallory', archive)).toMatchObject({ importStatus: 'finished' })
    const { items } = await forge.host.issues.list({ project: 'mallory/copy', sort: 'asc' })
    expect(new Set(items.map(({ author }) => author.username))).toEqual(new Set(['mallory']))
    expect(items[0]).toMatchObject({
      description: expect.stringMatching(
        /^It takes four seconds to load\.\n\n\*By dave on \d{4}-\d\d-\d\d \(imported\)\*$/,
      ),
      assignees: [],
    })
    const members = await forge.host.members.list({ project: 'mallory/copy' })
    expect(members.items.map(({ username }) => username)).toEqual(['mallory'])
  })

  test('applies the name, the namespace and overrides', async () => {
    const archive = await exportProject()
    const { imports } = forge.as('alice')
    const { id, fullPath } = await imports.createProject({
      namespace: 'acme/tools',
      path: 'site',
      name: 'Site',
      file: toFile(archive),
      overrideParams: { description: 'Moved', issuesAccessLevel: 'private' },
    })
    expect(fullPath).toBe('acme/tools/site')
    expect(await imports.get({ project: id })).toMatchObject({ importStatus: 'scheduled' })
    await drain()
    expect(await forge.host.projects.get({ project: id })).toMatchObject({
      name: 'Site',
      description: 'Moved',
      issuesAccessLevel: 'private',
      // The group is private.
      visibility: 'private',
    })
  })

  test('keeps labels and milestones of the group, which the new group can have', async () => {
    const archive = await exportProject()
    await importAs('root', archive)
    const { host } = forge
    const { items } = await host.labels.list({ project: 'root/copy' })
    expect(items.map(({ name, color }) => [name, color])).toContainEqual(['urgent', '#DC143C'])
    expect((await host.milestones.list({ project: 'root/copy' })).items).toMatchObject([
      { title: '1.0', dueDate: '2027-01-31' },
    ])
    const { id } = await forge.as('root').imports.createProject({ namespace: 'acme', path: 'x', file: toFile(archive) })
    await drain()
    expect(await forge.host.imports.get({ project: id })).toMatchObject({ importStatus: 'finished' })
    const own = (await host.labels.list({ project: id })).items.filter(({ isProjectLabel }) => isProjectLabel)
    expect(own.map(({ name }) => name)).toEqual(['bug', 'feature'])
    expect((await host.milestones.list({ project: id })).items).toEqual([])
  })

  test('requires a free path, or replaces a project that the importer may remove', async () => {
    const archive = await exportProject()
    const file = toFile(archive)
    const { imports } = forge.as('bob')
    await expect(imports.createProject({ path: 'notes', file })).rejects.toMatchObject({ code: 'conflict' })
    const { id } = await imports.createProject({ path: 'notes', overwrite: true, file })
    expect((await forge.host.projects.get({ project: 'bob/notes' })).id).not.toBe(id)
    await drain()
    expect(await forge.host.projects.get({ project: 'bob/notes' })).toMatchObject({ id, path: 'notes' })
    expect((await forge.host.issues.list({ project: 'bob/notes' })).items).toHaveLength(4)
    await expect(
      forge.as('bob').imports.createProject({ namespace: 'acme', path: 'web', overwrite: true, file }),
    ).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('that fails leaves an empty project with the reason', async () => {
    const failing = await pack({
      labels: [{ name: 'kept?' }],
      issues: [{ title: 'x', author: 'dave', milestone: 'missing' }],
    })
    const state = await importAs('bob', failing)
    expect(state).toMatchObject({
      importStatus: 'failed',
      importError: expect.stringContaining('project.issues[0] (x)'),
    })
    expect((await forge.host.labels.list({ project: state.id })).items).toEqual([])
    expect(await forge.host.projects.get({ project: state.id })).toMatchObject({
      importStatus: 'failed',
      emptyRepo: true,
    })
  })

  test('gives no rights that only administrators have', async () => {
    const secret = await pack({ repository: { import: '/etc' } })
    expect(await importAs('bob', secret, 'one')).toMatchObject({
      importStatus: 'failed',
      importError: expect.stringContaining('project.repository: is not known here'),
    })
    const owner = await pack({ members: [{ user: 'bob', access: 50 }], settings: { repositoryStorage: 'other' } })
    expect(await importAs('bob', owner, 'two')).toMatchObject({ importStatus: 'finished' })
    expect((await forge.host.projects.get({ project: 'bob/two' })).repositoryStorage).toBe('default')
  })

  test.each([
    ['a reference outside of branches and tags', (sha: string) => `# v2 git bundle\n${sha} refs/forgelet/x\n\n`],
    ['a path as a branch', (sha: string) => `# v2 git bundle\n${sha} refs/heads/../x\n\n`],
    ['required commits', (sha: string) => `# v2 git bundle\n-${sha}\n${sha} refs/heads/main\n\n`],
    ['no pack', (sha: string) => `# v2 git bundle\n${sha} refs/heads/main\n\n`],
    ['no header', () => 'x'.repeat(1000)],
  ])('rejects a bundle with %s', async (_case, create) => {
    const archive = await pack({}, Readable.from([Buffer.from(create('a'.repeat(40)))]))
    const state = await importAs('bob', archive)
    expect(state.importStatus).toBe('failed')
    expect(state.importError).not.toContain('unexpected')
    expect(await forge.host.projects.get({ project: state.id })).toMatchObject({ emptyRepo: true })
  })

  test('rejects files that are too large or no archives', async () => {
    const { imports } = forge.as('bob')
    const file = toFile(new Uint8Array(10))
    await expect(imports.createProject({ path: 'x', file })).rejects.toMatchObject({ code: 'invalid' })
    await forge.as('root').settings.update({ maxImportSize: 1 })
    const large = toFile(Buffer.concat([gzipSync('x'), Buffer.alloc(1024 ** 2)]))
    await expect(imports.createProject({ path: 'x', file: large })).rejects.toMatchObject({ code: 'invalid' })
    expect((await forge.platform.ports.files.list('archives/')).files).toEqual([])
  })
})

/** A tar header with a name and a type, and the content behind it. */
const tarEntry = (name: string, content: string, type = '0', size = Buffer.byteLength(content)) => {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write('0000644\0', 100)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write(type, 156)
  if (type === '2') header.write('/etc/passwd', 157)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  const padding = Buffer.alloc((512 - (Buffer.byteLength(content) % 512)) % 512)
  return Buffer.concat([header, Buffer.from(content), padding])
}

const toArchive = (...entries: readonly Buffer[]) => gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]))
const manifest = (changes = {}) =>
  tarEntry('manifest.json', JSON.stringify({ format: 'forgelet-archive', version: 1, kind: 'project', ...changes }))
const content = tarEntry('content.json', '{}')

test.each([
  ['a path to another folder', toArchive(manifest(), tarEntry('../content.json', '{}'))],
  ['an absolute path', toArchive(manifest(), tarEntry('/tmp/content.json', '{}'))],
  ['a symbolic link', toArchive(manifest(), tarEntry('content.json', '', '2'))],
  ['a hard link', toArchive(manifest(), tarEntry('content.json', '', '1'))],
  ['a folder', toArchive(manifest(), tarEntry('content.json', '', '5'))],
  ['a device', toArchive(manifest(), tarEntry('content.json', '', '3'))],
  ['an unknown file', toArchive(manifest(), content, tarEntry('notes.txt', 'x'))],
  ['the same file twice', toArchive(manifest(), content, content)],
  ['large data', toArchive(manifest(), tarEntry('content.json', '', '0', 40 * 1024 ** 2))],
  ['damaged data', toArchive(manifest(), tarEntry('content.json', '{'))],
  ['no manifest', toArchive(content)],
  ['a foreign manifest', toArchive(manifest({ format: 'other' }), content)],
  ['a newer version', toArchive(manifest({ version: 2 }), content)],
  ['a group', toArchive(manifest({ kind: 'group' }), content)],
  ['another archive', gzipSync(toArchive(manifest(), content))],
  ['no tar archive', gzipSync('x'.repeat(2_000))],
  ['an incomplete archive', toArchive(manifest(), content).subarray(0, 60)],
])('an import rejects an archive with %s', async (_case, archive) => {
  const state = await importAs('bob', archive)
  expect(state.importStatus).toBe('failed')
  expect(state.importError).toMatch(/^The archive cannot be imported: /)
})

describe('a group', () => {
  test('is exported and imported with its subgroups', async () => {
    await forge.close()
    await open(fullSeed)
    const { exports, imports } = forge.as('root')
    await exports.create({ group: 'acme' })
    await drain()
    const archive = await buffer((await exports.download({ group: 'acme' })).content)
    const { id } = await imports.createGroup({ name: 'Copy', path: 'copy', file: toFile(archive) })
    await drain()
    expect(await imports.get({ group: id })).toMatchObject({ importStatus: 'finished', importType: 'gitlab_group' })
    const { host } = forge
    expect(await host.groups.get({ group: 'copy' })).toMatchObject({
      name: 'Copy',
      description: 'Everything Acme makes',
      visibility: 'public',
    })
    expect(await host.groups.get({ group: 'copy/tools' })).toMatchObject({ name: 'Tools', visibility: 'private' })
    expect((await host.labels.list({ group: 'copy' })).items.map(({ name }) => name)).toEqual(['urgent'])
    expect((await host.milestones.list({ group: 'copy' })).items.map(({ title }) => title)).toEqual(['1.0'])
    expect((await host.boards.list({ group: 'copy' })).items.map(({ name }) => name)).toEqual(['Work'])
    expect((await host.badges.list({ group: 'copy' })).items).toHaveLength(1)
    expect((await host.epics.list({ group: 'copy' })).items).toMatchObject([
      { title: 'Conquer the world', author: { username: 'alice' } },
    ])
    const members = (await host.members.list({ group: 'copy' })).items.map(({ username }) => username)
    expect(members).toEqual(expect.arrayContaining(['root', 'alice', 'bob']))
    expect((await host.projects.list({ group: 'copy' })).items).toEqual([])
  })

  test('of another user belongs to the importer', async () => {
    const archive = await pack(
      { members: [{ user: 'alice', access: 50 }], labels: [{ name: 'x' }], subgroups: [{ path: 'a', name: 'A' }] },
      undefined,
      'group',
    )
    const { imports } = forge.as('mallory')
    const { id } = await imports.createGroup({ name: 'Mine', path: 'mine', file: toFile(archive) })
    await drain()
    expect(await imports.get({ group: id })).toMatchObject({ importStatus: 'finished', importError: null })
    const members = (await forge.host.members.list({ group: 'mine' })).items
    expect(members.map(({ username }) => username)).toEqual(['mallory'])
    expect(await forge.host.groups.get({ group: 'mine/a' })).toMatchObject({ visibility: 'private' })
  })

  test('is exported by owners', async () => {
    await expect(forge.as('bob').exports.create({ group: 'acme' })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(forge.as('mallory').exports.get({ group: 'acme/tools' })).rejects.toMatchObject({ code: 'not_found' })
  })
})
