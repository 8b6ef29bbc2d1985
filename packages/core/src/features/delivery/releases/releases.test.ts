import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
let head: string
const project = 'acme/web'

beforeEach(async () => {
  forge = await world()
  const author = { name: 'Bob Builder', email: 'bob@example.com' }
  const commits = [{ message: 'Begin', author, files: [{ path: 'README.md', content: 'x\n' }] }]
  head = (await forge.host.commits.import({ project, commits })).ids[0] as string
})
afterEach(() => forge.close())

const releases = (user = 'bob') => forge.as(user).releases
const links = (user = 'bob') => forge.as(user).releaseLinks
const url = 'https://example.com/tool'

test('creates a release with notes, milestones and links', async () => {
  await forge.host.tags.create({ project, tagName: 'v1' })
  await forge.host.milestones.create({ project, title: '0.9' })
  const assets = { links: [{ name: 'Tool', url, linkType: 'package' as const, directAssetPath: '/bin/tool' }] }
  const input = { description: '# Notes', milestones: ['1.0', '0.9', '1.0'], assets }
  const release = await releases().create({ project, tagName: 'v1', ...input })
  expect(release).toMatchObject({
    tagName: 'v1',
    name: 'v1',
    description: '# Notes',
    author: { username: 'bob' },
    commit: { id: head, title: 'Begin' },
    upcomingRelease: false,
    links: [{ name: 'Tool', url, linkType: 'package', filepath: '/bin/tool' }],
  })
  expect(release.milestones.map(({ title }) => title).sort()).toEqual(['0.9', '1.0'])
  expect(await releases('mallory').get({ project, tagName: 'v1' })).toEqual(release)
})

test('creates a missing tag at a ref, which counts as a push', async () => {
  await expect(releases().create({ project, tagName: 'v1' })).rejects.toMatchObject({ code: 'unprocessable' })
  await expect(releases().create({ project, tagName: 'v1', ref: 'nope' })).rejects.toMatchObject({
    code: 'unprocessable',
  })
  const pushed: unknown[] = []
  forge.platform.on('code.pushed', ({ push }) => void pushed.push(push))
  await releases().create({ project, tagName: 'v1', ref: 'main', tagMessage: 'The first' })
  expect((await forge.as('bob').tags.list({ project })).items).toMatchObject([{ name: 'v1', commit: { id: head } }])
  expect(pushed).toMatchObject([{ ref: 'v1', refType: 'tag', action: 'created' }])
})

test('rejects a second release of a tag', async () => {
  await releases().create({ project, tagName: 'v1', ref: 'main' })
  await expect(releases().create({ project, tagName: 'v1' })).rejects.toMatchObject({
    code: 'conflict',
    message: 'Release already exists',
  })
})

test('invalid input creates neither a tag nor a release', async () => {
  const invalidInputs = [
    { milestones: ['nope'] },
    { assets: { links: [{ name: 'x', url: 'javascript:alert(1)' }] } },
    { assets: { links: [{ name: 'x', url, filepath: '../x' }] } },
  ]
  for (const input of invalidInputs) {
    await expect(releases().create({ project, tagName: 'v1', ref: 'main', ...input })).rejects.toBeDefined()
  }
  expect((await forge.as('bob').tags.list({ project })).items).toEqual([])
  expect((await releases().list({ project })).items).toEqual([])
})

test('lists are ordered by date; a future release is upcoming', async () => {
  await releases().create({ project, tagName: 'v1', ref: 'main', releasedAt: '2020-01-01T00:00:00Z' })
  await releases().create({ project, tagName: 'v3', ref: 'main', releasedAt: '2999-01-01' })
  await releases().create({ project, tagName: 'v2', ref: 'main' })
  const tags = async (options = {}) =>
    (await releases().list({ project, ...options })).items.map(({ tagName }) => tagName)
  expect(await tags()).toEqual(['v3', 'v2', 'v1'])
  expect(await tags({ sort: 'asc', perPage: 2 })).toEqual(['v1', 'v2'])
  expect(await tags({ orderBy: 'created_at' })).toEqual(['v2', 'v3', 'v1'])
  expect(await releases().get({ project, tagName: 'v3' })).toMatchObject({
    upcomingRelease: true,
    releasedAt: '2999-01-01T00:00:00.000Z',
  })
})

test('an update keeps omitted fields; a deletion keeps the tag', async () => {
  await releases().create({ project, tagName: 'v1', ref: 'main', description: 'Old', milestones: ['1.0'] })
  expect(await releases().update({ project, tagName: 'v1', name: 'First' })).toMatchObject({
    name: 'First',
    description: 'Old',
    milestones: [{ title: '1.0' }],
  })
  expect(await releases().update({ project, tagName: 'v1', milestones: [] })).toMatchObject({ milestones: [] })
  expect(await releases().remove({ project, tagName: 'v1' })).toMatchObject({ tagName: 'v1', name: 'First' })
  await expect(releases().get({ project, tagName: 'v1' })).rejects.toMatchObject({ code: 'not_found' })
  expect((await forge.as('bob').tags.list({ project })).items).toHaveLength(1)
})

test('links are created, updated and deleted; their names and URLs are unique', async () => {
  const tagName = 'v1'
  await releases().create({ project, tagName, ref: 'main' })
  const { id: link } = await links().create({ project, tagName, name: 'Tool', url })
  await expect(links().create({ project, tagName, name: 'Tool', url: `${url}/2` })).rejects.toMatchObject({
    problems: [{ fields: ['name'], message: 'has already been taken' }],
  })
  await expect(links().create({ project, tagName, name: 'Other', url })).rejects.toMatchObject({
    problems: [{ fields: ['url'] }],
  })
  expect(await links().update({ project, tagName, link, name: 'Tool 2', linkType: 'image' })).toMatchObject({ url })
  expect(await links('mallory').get({ project, tagName, link })).toMatchObject({ name: 'Tool 2', linkType: 'image' })
  expect((await links().list({ project, tagName })).items).toHaveLength(1)
  expect(await links().remove({ project, tagName, link })).toMatchObject({ id: link })
  await expect(links().get({ project, tagName, link })).rejects.toMatchObject({ code: 'not_found' })
})

test('creating requires developer access, reading requires access to the code', async () => {
  await expect(releases('carol').create({ project, tagName: 'v1', ref: 'main' })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await expect(releases('mallory').list({ project: 'acme/tools/deploy' })).rejects.toMatchObject({ code: 'not_found' })
  await forge.host.members.add({ project: 'acme/tools/deploy', users: ['dave'], accessLevel: 10 })
  await expect(releases('dave').list({ project: 'acme/tools/deploy' })).rejects.toMatchObject({ code: 'forbidden' })
  await forge.host.projects.archive({ project })
  await expect(releases().create({ project, tagName: 'v1', ref: 'main' })).rejects.toMatchObject({ code: 'forbidden' })
})
