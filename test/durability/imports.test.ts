import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { packArchive } from '../../packages/core/src/features/integration/archives/pack-archive.ts'
import { withTemporaryFolder } from '../../packages/core/src/features/integration/archives/temporary-folder.ts'
import { folder, serving } from '../cli/command-line.ts'
import { newData } from '../cli/data-arguments.ts'
import { createGitClient, type GitClient } from '../support/git-client.ts'
import { dialect } from '../world.ts'

/** Imports while their server is killed: what is visible afterwards, and which files remain. */

const count = 600
const labels = Array.from({ length: count }, (_, at) => ({ name: `label ${at}` }))
const epics = [{ title: 'Large', author: 'alice', notes: [{ author: 'alice', body: 'x' }] }]
const issues = [{ title: 'First', author: 'alice' }]
const subgroups = Array.from({ length: 20 }, (_, at) => ({ path: `s${at}`, name: `S${at}`, epics }))
const contents = {
  project: { visibility: 'public', labels, issues },
  group: { visibility: 'public', labels, epics, subgroups },
} as const
type Kind = keyof typeof contents

let git: GitClient
beforeEach(() => {
  git = createGitClient()
})
afterEach(() => git.remove())

/** The branches of a new repository. */
const createBundle = async (): Promise<Buffer> => {
  await git.git('.', 'init', '--quiet', 'work')
  await git.commit('work', 'First', { 'README.md': 'x'.repeat(100_000) })
  await git.git('work', 'branch', 'other')
  await git.git('work', 'bundle', 'create', '--quiet', '../work.bundle', '--branches')
  return readFile(join(git.folder, 'work.bundle'))
}

const pack = (kind: Kind, content: object, bundle?: Buffer) =>
  withTemporaryFolder(async (place) => {
    const archive = {
      kind,
      content,
      omitted: [],
      createdAt: '2026-01-01T00:00:00Z',
      bundle: bundle && Readable.from([bundle]),
    }
    return buffer(Readable.from(await packArchive(place, archive)))
  })

const upload = async (url: string, kind: Kind, archive: Uint8Array<ArrayBuffer>) => {
  const body = new FormData()
  for (const [name, value] of Object.entries({ path: 'copy', name: 'Copy' })) body.set(name, value)
  body.set('file', new File([archive], 'archive.tar.gz'))
  const response = await fetch(`${url}/api/v4/${kind}s/import`, {
    method: 'POST',
    headers: { 'private-token': 'alice-token' },
    body,
  })
  expect(response.ok, await response.clone().text()).toBe(true)
}

const get = async (url: string, path: string, user = 'alice') => {
  const response = await fetch(`${url}/api/v4/${path}`, { headers: { 'private-token': `${user}-token` } })
  return { status: response.status, body: await response.json(), total: Number(response.headers.get('x-total')) }
}

const addresses = { project: 'projects/alice%2Fcopy', group: 'groups/copy' } as const

const listFiles = (place: string): readonly string[] =>
  existsSync(place) ? readdirSync(place, { recursive: true }).map(String) : []

/** New data, with a folder for temporary files of its own. */
const startable = async () => {
  const { args, named } = await newData()
  const temporary = join(folder, `tmp-${named.source.replace(/\W/g, '')}`)
  mkdirSync(temporary)
  const name = args.find((text) => text.endsWith('.repositories')) ?? `${args[1]}.repositories`
  return {
    /** The data file, if there is one. */
    file: args[1] ?? '',
    serve: () => serving([...args, '--seed', 'demo', '--log-level', 'silent'], { env: { TMPDIR: temporary } }),
    listRepositories: () => listFiles(name).filter((text) => text.endsWith('.git')),
    listUnpacked: () => listFiles(temporary).filter((text) => text.startsWith('forgelet-archive-')),
    listArchives: () =>
      listFiles(name.replace(/repositories$/, 'files')).filter((text) => /archives.imports.*\w{20}/.test(text)),
  }
}

/** The moments at which the server is killed. */
const moments = {
  'when the job begins': () => pause(30),
  'while it reads the archive': () => pause(120),
  async 'when a part is stored'(url: string, kind: Kind) {
    await expect
      .poll(async () => (await get(url, `${addresses[kind]}/labels`)).total, { timeout: 30_000 })
      .toBeGreaterThan(0)
  },
} satisfies Record<string, (url: string, kind: Kind) => Promise<unknown>>

const waitForEnd = async (url: string, kind: Kind) => {
  let state: { import_status: string; import_error: string | null } | undefined
  const isEnded = async () => {
    const { body } = await get(url, `${addresses[kind]}/import`)
    // Nobody else sees a part of it.
    if (body.import_status === 'started') expect((await get(url, addresses[kind], 'mallory')).status).toBe(404)
    state = body
    return ['finished', 'failed'].includes(body.import_status)
  }
  await expect.poll(isEnded, { timeout: 60_000, interval: 50 }).toBe(true)
  return state
}

const cases = Object.keys(contents).flatMap((kind) =>
  Object.entries(moments).map(([moment, wait]) => ({ kind: kind as Kind, moment, wait })),
)

describe(`an import on ${dialect}`, { timeout: 180_000 }, () => {
  test.each(cases)('of a $kind is repeated after a kill $moment', async ({ kind, wait }) => {
    const { serve, listRepositories, listUnpacked, listArchives } = await startable()
    const killed = await serve()
    const before = listRepositories().length
    await upload(
      killed.url,
      kind,
      await pack(kind, contents[kind], kind === 'project' ? await createBundle() : undefined),
    )
    await wait(killed.url, kind)
    killed.child.kill('SIGKILL')
    await killed.ended

    const { url, stop } = await serve()
    expect(await waitForEnd(url, kind)).toMatchObject({ import_status: 'finished', import_error: null })
    const address = addresses[kind]
    expect(await get(url, address, 'mallory')).toMatchObject({ status: 200, body: { visibility: 'public' } })
    expect((await get(url, `${address}/labels`)).total).toBe(count)
    expect((await get(url, `${address}/members`)).body).toMatchObject([{ username: 'alice' }])
    if (kind === 'group') {
      expect((await get(url, `${address}/descendant_groups`)).total).toBe(subgroups.length)
      expect((await get(url, `${address}/epics`)).total).toBe(subgroups.length + 1)
    } else {
      expect((await get(url, `${address}/issues`)).body).toMatchObject([{ iid: 1, title: 'First' }])
      const { body: branches } = await get(url, `${address}/repository/branches`)
      expect(branches.map(({ name }: { name: string }) => name)).toEqual(['main', 'other'])
    }
    expect(listRepositories()).toHaveLength(kind === 'project' ? before + 1 : before)
    await expect.poll(() => [listUnpacked(), listArchives()], { timeout: 30_000 }).toEqual([[], []])
    expect((await stop()).code).toBe(0)
  })

  test('that fails after a kill reports why, and leaves an empty project and no files', async () => {
    const { serve, listRepositories, listUnpacked, listArchives } = await startable()
    const killed = await serve()
    const before = listRepositories().length
    const broken = { ...contents.project, issues: [...issues, { ...issues[0], milestone: 'missing' }] }
    await upload(killed.url, 'project', await pack('project', broken, await createBundle()))
    await moments['when a part is stored'](killed.url, 'project')
    killed.child.kill('SIGKILL')
    await killed.ended

    const { url, stop } = await serve()
    expect(await waitForEnd(url, 'project')).toMatchObject({
      import_status: 'failed',
      import_error: expect.stringContaining('project.issues[1] (First)'),
    })
    const address = addresses.project
    expect((await get(url, address)).body).toMatchObject({
      import_status: 'failed',
      empty_repo: true,
      visibility: 'private',
    })
    for (const list of ['labels', 'issues']) expect((await get(url, `${address}/${list}`)).total).toBe(0)
    expect(listRepositories()).toHaveLength(before)
    await expect.poll(() => [listUnpacked(), listArchives()], { timeout: 30_000 }).toEqual([[], []])
    expect((await stop()).code).toBe(0)
  })

  test.skipIf(dialect !== 'sqlite')('that has ended nine servers is not tried again', async () => {
    const { serve, file, listRepositories, listUnpacked } = await startable()
    const killed = await serve()
    const before = listRepositories().length
    await upload(killed.url, 'project', await pack('project', contents.project, await createBundle()))
    await moments['when a part is stored'](killed.url, 'project')
    killed.child.kill('SIGKILL')
    await killed.ended
    const database = new Database(file)
    database.exec("update job set attempts = 9 where kind = 'archives.import'")
    database.close()

    const { url, stop } = await serve()
    expect(await waitForEnd(url, 'project')).toMatchObject({
      import_status: 'failed',
      import_error: 'Several attempts failed or were interrupted',
    })
    expect((await get(url, `${addresses.project}/labels`)).total).toBe(0)
    expect(listRepositories()).toHaveLength(before)
    expect(listUnpacked()).toEqual([])
    expect((await stop()).code).toBe(0)
  })

  test.each<[string, (bundle: Buffer) => Buffer]>([
    ['a changed byte', (bundle) => Buffer.concat([bundle.subarray(0, -40), Buffer.from('x'), bundle.subarray(-39)])],
    ['no end', (bundle) => bundle.subarray(0, -30)],
  ])('of a repository with %s fails, and leaves no files', async (_case, damage) => {
    const { serve, listRepositories, listUnpacked, listArchives } = await startable()
    const { url, stop } = await serve()
    const before = listRepositories().length
    await upload(url, 'project', await pack('project', contents.project, damage(await createBundle())))
    const state = await waitForEnd(url, 'project')
    expect(state).toMatchObject({ import_status: 'failed', import_error: expect.stringMatching(/\w/) })
    expect(state?.import_error).not.toContain('unexpected')
    expect((await get(url, `${addresses.project}/labels`)).total).toBe(0)
    expect(listRepositories()).toHaveLength(before)
    await expect.poll(() => [listUnpacked(), listArchives()], { timeout: 30_000 }).toEqual([[], []])
    expect((await stop()).code).toBe(0)
  })
})
