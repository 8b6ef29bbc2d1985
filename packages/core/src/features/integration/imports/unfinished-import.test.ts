import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'
import type { ArchiveKind } from '../archives/archive.ts'
import { packArchive } from '../archives/pack-archive.ts'
import { withTemporaryFolder } from '../archives/temporary-folder.ts'

let forge: FakeForge
let hook: number
beforeEach(async () => {
  forge = await world({ seed: demoWithCode })
  hook = (await forge.host.hooks.create({ group: 'acme', url: 'https://ci.example.com', ...hookEvents })).id
})
afterEach(() => forge.close())

const hookEvents = { issuesEvents: true, noteEvents: true, subgroupEvents: true, mergeRequestsEvents: true }

const pack = (kind: ArchiveKind, content: object): Promise<Uint8Array<ArrayBuffer>> =>
  withTemporaryFolder(async (folder) => {
    const archive = { kind, content, omitted: [], createdAt: '2026-01-01T00:00:00Z', bundle: undefined }
    return buffer(Readable.from(await packArchive(folder, archive)))
  })

const members = [{ user: 'carol', access: 30 }]
const items = Array.from({ length: 60 }, (_, at) => ({
  title: `imported ${at}`,
  author: 'bob',
  notes: [{ author: 'bob', body: 'Ask @alice' }],
}))

/** Runs a job until `isReached`, and ends it there, as a server that stops. */
const runUntil = async (isReached: () => Promise<boolean>) => {
  const stop = forge.platform.jobs.start({ interval: 5 })
  while (!(await isReached())) await setTimeout(1)
  await stop()
}

const importProject = async (visibility: 'public' | 'private') => {
  const { id } = await forge.as('root').imports.createProject({
    path: 'copy',
    namespace: 'acme',
    overrideParams: { visibility },
    file: {
      fileName: 'a.tar.gz',
      content: await pack('project', { visibility: 'public', members, issues: items }),
    },
  })
  return id
}

/** The sessions of users who can see what is in `acme` once it is finished. */
const readers = () => [forge.platform, ...['mallory', 'carol', 'bob', 'alice'].map((user) => forge.as(user))]

const isFound = (call: Promise<unknown>) =>
  call.then(
    () => true,
    () => false,
  )

const find = async (list: Promise<{ readonly items: readonly unknown[] }>) => (await list).items.length > 0

/** Whether readers find a project that is called `copy` in the ways that there are. */
const findProject = async (project: number) => {
  const found = []
  for (const { projects, issues, issueStatistics, labels, events } of readers()) {
    found.push(await isFound(projects.get({ project })))
    found.push(await isFound(labels.list({ project })))
    found.push(await find(projects.list({ search: 'copy' })))
    found.push(await find(projects.list({ group: 'acme', search: 'copy' })))
    found.push(await find(issues.list({ group: 'acme', search: 'imported' })))
    const { all } = await issueStatistics.get({ group: 'acme', search: 'imported' }).catch(() => ({ all: 0 }))
    found.push(all > 0)
    found.push(await isFound(events.list({ project })))
  }
  return new Set(found)
}

const findGroup = async (group: number) => {
  const found = []
  for (const { groups, epics, labels } of readers()) {
    found.push(await isFound(groups.get({ group })))
    found.push(await isFound(labels.list({ group })))
    found.push(await find(groups.list({ search: 'copy', allAvailable: true })))
    found.push(await find(groups.list({ parent: 'acme', search: 'copy' })))
    found.push(await find(groups.list({ parent: 'acme', search: 'copy', includeDescendants: true })))
    found.push(await find(epics.list({ group: 'acme', search: 'imported' })))
  }
  return new Set(found)
}

const noSideEffects = async () => {
  expect((await forge.host.hooks.listDeliveries({ group: 'acme', hook })).items).toEqual([])
  expect((await forge.as('alice').todos.list()).items).toEqual([])
}

describe('until an import has finished', { timeout: 120_000 }, () => {
  test.each(['public', 'private'] as const)(
    'only the importer sees a project with the chosen visibility %s',
    async (visibility) => {
      await forge.as('alice').todos.finish({})
      const project = await importProject(visibility)
      const importer = forge.as('root').projects
      expect(await importer.get({ project })).toMatchObject({ visibility, importerId: expect.any(Number) })
      expect(await findProject(project)).toEqual(new Set([false]))
      await runUntil(async () => (await forge.host.issues.list({ project })).items.length > 0)
      expect(await findProject(project)).toEqual(new Set([false]))
      expect(await importer.get({ project })).toMatchObject({ visibility, importStatus: 'started' })
      await forge.platform.jobs.drain()
      await noSideEffects()
      expect(await importer.get({ project })).toMatchObject({
        visibility,
        importStatus: 'finished',
        importerId: null,
      })
      expect((await findProject(project)).has(true)).toBe(true)
    },
  )

  test('only the importer sees a group', async () => {
    await forge.as('alice').todos.finish({})
    const content = { visibility: 'public', members, epics: items, subgroups: [{ path: 'sub', name: 'Sub' }] }
    const file = { fileName: 'a.tar.gz', content: await pack('group', content) }
    const { id: group } = await forge
      .as('root')
      .imports.createGroup({ parent: 'acme', path: 'copy', name: 'Copy', file })
    expect(await findGroup(group)).toEqual(new Set([false]))
    await runUntil(async () => (await forge.host.epics.list({ group })).items.length > 0)
    expect(await findGroup(group)).toEqual(new Set([false]))
    expect(await forge.as('root').groups.get({ group })).toMatchObject({ importerId: expect.any(Number) })
    await forge.platform.jobs.drain()
    await noSideEffects()
    expect((await findGroup(group)).has(true)).toBe(true)
    expect(await forge.host.groups.get({ group: 'acme/copy/sub' })).toMatchObject({ importerId: null })
  })

  test('a user who imports sees it too, and a failed import leaves an empty project for others', async () => {
    const { imports, projects } = forge.as('alice')
    const content = await pack('project', { issues: [...items, { title: 'x', author: 'bob', milestone: 'missing' }] })
    const { id: project } = await imports.createProject({
      path: 'copy',
      namespace: 'acme',
      overrideParams: { visibility: 'public' },
      file: { fileName: 'a.tar.gz', content },
    })
    expect(await projects.get({ project })).toMatchObject({ importStatus: 'scheduled' })
    await forge.platform.jobs.drain()
    expect(await forge.as('bob').projects.get({ project })).toMatchObject({
      importStatus: 'failed',
      importerId: null,
    })
    expect((await forge.host.issues.list({ project })).items).toEqual([])
  })
})
