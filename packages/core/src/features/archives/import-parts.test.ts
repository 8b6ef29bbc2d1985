import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'
import { withTemporaryFolder } from './archive-format.ts'
import { packArchive } from './pack-archive.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ seed: demoWithCode })
})
afterEach(() => forge.close())

const pack = (content: object): Promise<Uint8Array<ArrayBuffer>> =>
  withTemporaryFolder(async (folder) => {
    const stream = await packArchive(folder, {
      kind: 'project',
      content,
      omitted: [],
      createdAt: '2026-01-01T00:00:00Z',
      bundle: undefined,
    })
    return buffer(Readable.from(stream))
  })

const count = 400
const labels = Array.from({ length: count }, (_, at) => ({ name: `label ${at}` }))
const notes = Array.from({ length: count }, (_, at) => ({ author: 'bob', body: `note ${at}` }))
const issue = { title: 'x', author: 'bob' }
const members = [{ user: 'carol', access: 30 }]

const start = async (content: object) => {
  const { id } = await forge
    .as('root')
    .imports.createProject({ path: 'copy', file: { fileName: 'a.tar.gz', content: await pack(content) } })
  return id
}

const readStatus = async (project: number) => (await forge.host.imports.get({ project })).importStatus

const countContent = async (project: number) => {
  const all = { project, perPage: 1 }
  const { host } = forge
  const issues = await host.issues.list({ project })
  return {
    labels: (await host.labels.list(all)).total,
    issues: issues.items.map(({ iid }) => iid),
    members: (await host.members.list(all)).total,
  }
}

/** Waits until a part of the labels is visible: reads run between the parts. */
const waitForPart = async (project: number) => {
  while (!(await forge.host.labels.list({ project, perPage: 1 })).items.length) await setTimeout(1)
}

describe('an import of many objects', { timeout: 60_000 }, () => {
  test.each([
    ['of the project', { labels }],
    ['of one issue', { labels: [{ name: 'first' }], issues: [{ ...issue, notes: [...notes, ...notes] }] }],
  ])('%s lets others read and write before it has finished', async (_case, content) => {
    const id = await start(content)
    const drained = forge.platform.jobs.drain()
    await waitForPart(id)
    for (const name of ['a', 'b']) {
      await forge.host.labels.create({ project: 'acme/web', name: `other ${name}`, color: '#ff0000' })
      expect(await readStatus(id)).toBe('started')
    }
    await expect(forge.as('mallory').projects.get({ project: id })).rejects.toMatchObject({ code: 'not_found' })
    expect(await forge.host.projects.details({ project: id })).toMatchObject({ importStatus: 'started' })
    await drained
    expect(await readStatus(id)).toBe('finished')
  })

  test('that fails in the middle leaves no content', async () => {
    const empty = await countContent(await start({}))
    await forge.platform.jobs.drain()
    await forge.host.projects.remove({ project: 'root/copy' })
    const id = await start({ members, labels, issues: [issue, { ...issue, milestone: 'missing' }] })
    const drained = forge.platform.jobs.drain()
    await waitForPart(id)
    await drained
    expect(await countContent(id)).toEqual(empty)
    expect(await forge.host.imports.get({ project: id })).toMatchObject({
      importStatus: 'failed',
      importError: expect.stringContaining('project.issues[1] (x)'),
    })
    expect((await forge.host.issues.create({ project: id, title: 'y', author: 'root' })).iid).toBe(1)
  })

  test('that ended in between is undone and repeated', async () => {
    const id = await start({ visibility: 'public', members, labels, issues: [issue] })
    const stop = forge.platform.jobs.start({ interval: 5 })
    await waitForPart(id)
    await stop()
    expect(await readStatus(id)).toBe('started')
    expect(await forge.host.projects.get({ project: id })).toMatchObject({ visibility: 'private' })
    expect((await countContent(id)).issues).toEqual([])
    await forge.platform.jobs.drain()
    expect(await readStatus(id)).toBe('finished')
    const names = new Set<string>()
    for (let page = 1; page <= count / 100; page++)
      for (const { name } of (await forge.host.labels.list({ project: id, perPage: 100, page })).items) names.add(name)
    expect(names.size).toBe(count)
    expect((await forge.host.issues.list({ project: id })).items.map(({ iid }) => iid)).toEqual([1])
    expect(await forge.host.projects.get({ project: id })).toMatchObject({ visibility: 'public' })
  })
})
