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
beforeEach(async () => {
  forge = await world({ seed: demoWithCode })
})
afterEach(() => forge.close())

const pack = (kind: ArchiveKind, content: object): Promise<Uint8Array<ArrayBuffer>> =>
  withTemporaryFolder(async (folder) => {
    const archive = { kind, content, omitted: [], createdAt: '2026-01-01T00:00:00Z', bundle: undefined }
    return buffer(Readable.from(await packArchive(folder, archive)))
  })

const count = 200
/** Items of one transaction at most; others run after each. */
const itemsInPart = 50
const toList = <T>(create: (at: number) => T, length = count): T[] => Array.from({ length }, (_, at) => create(at))
const labels = toList((at) => ({ name: `label ${at}` }))
const notes = toList((at) => ({ author: 'bob', body: `note ${at}` }))
const issue = { title: 'x', author: 'bob' }
const epics = toList((at) => ({ title: `epic ${at}`, author: 'bob' }))
const members = [{ user: 'carol', access: 30 }]
const first = { labels: [{ name: 'first' }] }

type Target = { readonly project: number } | { readonly group: number }

/** Starts an import by an administrator, who can add other members. */
const start = async (kind: ArchiveKind, content: object): Promise<Target> => {
  const { imports } = forge.as('root')
  const file = { fileName: 'a.tar.gz', content: await pack(kind, content) }
  const input = { path: 'copy', name: 'Copy', file }
  if (kind === 'group') return { group: (await imports.createGroup(input)).id }
  return { project: (await imports.createProject(input)).id }
}

const readStatus = async (target: Target) => (await forge.host.imports.get(target)).importStatus

/** Waits until a part of the labels is visible to the host: reads run between the parts. */
const waitForPart = async (target: Target) => {
  while (!(await forge.host.labels.list({ ...target, perPage: 1 })).items.length) await setTimeout(1)
}

const countContent = async (target: Target) => {
  const { host } = forge
  const page = { ...target, perPage: 1 }
  return {
    labels: (await host.labels.list(page)).total,
    members: (await host.members.list(page)).total,
    issues: 'project' in target ? (await host.issues.list({ ...target, perPage: 1 })).total : 0,
    epics: 'group' in target ? (await host.epics.list({ ...target, perPage: 1 })).total : 0,
    subgroups:
      'group' in target
        ? (await host.groups.list({ parent: target.group, perPage: 1, includeDescendants: true })).total
        : 0,
  }
}

const subgroups = toList((at) => ({ path: `s${at}`, name: `S${at}`, epics: epics.slice(0, 40) }), 5)

describe('an import of many objects', { timeout: 120_000 }, () => {
  test.each<[string, ArchiveKind, object, number]>([
    ['of a project', 'project', { labels }, count],
    ['of one issue', 'project', { ...first, issues: [{ ...issue, notes: [...notes, ...notes] }] }, 2 * count],
    ['of a group', 'group', { ...first, epics }, count],
    ['of subgroups', 'group', { ...first, subgroups }, count],
    ['of one epic', 'group', { ...first, epics: [{ ...epics[0], notes }] }, count],
  ])('%s lets others write after each part', async (_case, kind, content, items) => {
    const target = await start(kind, content)
    const drained = forge.platform.jobs.drain()
    await waitForPart(target)
    let writes = 0
    for (; (await readStatus(target)) === 'started'; writes++)
      await forge.host.labels.create({ project: 'acme/web', name: `other ${writes}`, color: '#ff0000' })
    await drained
    expect(await readStatus(target)).toBe('finished')
    expect(writes).toBeGreaterThanOrEqual(items / itemsInPart - 2)
  })

  test.each<[ArchiveKind, object, string]>([
    ['project', { issues: [issue, { ...issue, milestone: 'missing' }] }, 'project.issues[1] (x)'],
    [
      'group',
      { visibility: 'public', subgroups: [...subgroups, { path: 'x/y', name: 'Y' }] },
      'group.subgroups[5] (x/y)',
    ],
  ])('of a %s that fails in the last part leaves no content', async (kind, content, place) => {
    const empty = await countContent(await start(kind, {}))
    await forge.platform.jobs.drain()
    await (kind === 'project'
      ? forge.host.projects.remove({ project: 'root/copy' })
      : forge.host.groups.remove({ group: 'copy' }))
    const target = await start(kind, { members, labels, ...content })
    const drained = forge.platform.jobs.drain()
    await waitForPart(target)
    await drained
    expect(await countContent(target)).toEqual(empty)
    expect(await forge.host.imports.get(target)).toMatchObject({
      importStatus: 'failed',
      importError: expect.stringContaining(place),
    })
    if ('group' in target) {
      expect(await forge.host.groups.get(target)).toMatchObject({ visibility: 'private', importerId: null })
      expect((await forge.host.epics.create({ ...target, title: 'y', author: 'root' })).iid).toBe(1)
    } else {
      expect(await forge.host.projects.get(target)).toMatchObject({ importerId: null })
      expect((await forge.host.issues.create({ ...target, title: 'y', author: 'root' })).iid).toBe(1)
    }
  })

  test.each<[ArchiveKind, object]>([
    ['project', { issues: [issue] }],
    ['group', { epics: epics.slice(0, 1), subgroups }],
  ])('of a %s that ended in between is undone and repeated', async (kind, content) => {
    const target = await start(kind, { visibility: 'public', members, labels, ...content })
    const stop = forge.platform.jobs.start({ interval: 5 })
    await waitForPart(target)
    await stop()
    expect(await readStatus(target)).toBe('started')
    await forge.platform.jobs.drain()
    expect(await readStatus(target)).toBe('finished')
    const { total } = await forge.host.labels.list({ ...target, perPage: 1 })
    expect(total).toBe(count)
    if ('group' in target) {
      expect(await forge.host.groups.get(target)).toMatchObject({ visibility: 'public' })
      expect((await forge.host.groups.list({ parent: target.group, perPage: 1, includeDescendants: true })).total).toBe(
        subgroups.length,
      )
    } else expect((await forge.host.issues.list(target)).items.map(({ iid }) => iid)).toEqual([1])
  })
})
