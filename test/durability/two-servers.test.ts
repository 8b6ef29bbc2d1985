import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { folder, serving } from '../cli/command-line.ts'
import { reportFigures } from '../figures.ts'
import { buildCommitter } from '../support/built-programs.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-http-server.ts'
import { createDatabase } from '../support/postgres-database.ts'
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts'
import { dialect } from '../world.ts'
import { createSharedData, type SharedData } from './shared-data.ts'

/** `FORGELET_KILLS=50` kills 50 processes; `FORGELET_PROPERTY_SEED` repeats the choice of processes and times. */
const kills = Number(process.env.FORGELET_KILLS || 2)
const seed = Number(process.env.FORGELET_PROPERTY_SEED || Date.now() % 2 ** 32)
/** After this many kills, the next one waits until the repository was changed, which a lock of a killed process delays. */
const killsWithoutProgress = 3

let state = seed
/** Repeats its sequence for a seed. */
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}

/** Names of changes that were requested, and the results of those that were acknowledged. */
class Journal<Result> {
  readonly requested = new Set<string>()
  readonly acknowledged = new Map<string, Result>()
}

const journals = {
  labels: new Journal<true>(),
  tags: new Journal<true>(),
  commits: new Journal<string>(),
  uploads: new Journal<{ readonly url: string; readonly sha256: string }>(),
  removals: new Journal<true>(),
}
const refused = new Map<string, number>()
const count = (what: string) => refused.set(what, (refused.get(what) ?? 0) + 1)

const headers = { 'PRIVATE-TOKEN': 'alice-token' }
const project = '/api/v4/projects/acme%2Fweb'
const servers: Awaited<ReturnType<typeof serving>>[] = []
const committers: ChildProcess[] = []
let data: SharedData
let stopping = false
let remote: GitHttpServer
let database: PostgresServer | undefined

beforeAll(async () => {
  remote = await startGitHttpServer()
  if (dialect === 'postgres') database = await startPostgresServer()
})
afterAll(async () => {
  for (const committer of committers) committer.kill('SIGKILL')
  await data?.close()
  remote?.close()
  await database?.remove()
})

const startServer = async (index: number) => {
  const temporary = join(folder, `temporary-${index}`)
  mkdirSync(temporary, { recursive: true })
  servers[index] = await serving([...data.options, '--log-level', 'silent'], { env: { TMPDIR: temporary } })
}

const startCommitter = async (index: number, round: number) => {
  const args = [await buildCommitter(), data.source, data.repositories, `commit-${index}-${round}`]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [kind = '', message = '', id = ''] = line.split(' ')
    journals.commits.requested.add(message)
    if (kind === 'done') journals.commits.acknowledged.set(message, id)
    else if (kind !== 'open') count(`commit ${kind}`)
  })
  committers[index] = child
}

/** One request; undefined if it was not acknowledged: the connection broke, or the response is 503. */
const send = async (client: number, path: string, init: RequestInit): Promise<Response | undefined> => {
  const server = servers[client % servers.length] as (typeof servers)[number]
  try {
    const response = await fetch(`${server.url}${path}`, { ...init, headers: { ...headers, ...init.headers } })
    if (response.ok) return response
    if (response.status === 503) count(`${init.method} 503`)
    else throw new Error(`${init.method} ${path}: ${response.status} ${await response.text()}`)
  } catch (error) {
    // A broken connection; other errors are unexpected.
    if (!(error instanceof TypeError)) throw error
    await pause(20)
  }
  return undefined
}

const postJson = (client: number, path: string, body: object) =>
  send(client, path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Repeats a change with a new name until the test stops, at one server after the other. */
const repeat = async (name: string, change: (name: string, client: number) => Promise<void>) => {
  for (let number = 1; !stopping; number++) await change(`${name}-${number}`, number)
}

const createLabel = async (name: string, client: number) => {
  journals.labels.requested.add(name)
  if (await postJson(client, `${project}/labels`, { name, color: 'teal', priority: 1 }))
    journals.labels.acknowledged.set(name, true)
}

/** Creates a tag. */
const createRelease = async (name: string, client: number) => {
  journals.tags.requested.add(name)
  if (await postJson(client, `${project}/releases`, { tag_name: name, ref: 'main' }))
    journals.tags.acknowledged.set(name, true)
}

const uploadFile = async (name: string, client: number) => {
  const content = Buffer.from(name.repeat(1 + Math.floor(Math.random() * 20_000)))
  const body = new FormData()
  body.set('file', new Blob([content]), `${name}.bin`)
  journals.uploads.requested.add(name)
  const response = await send(client, `${project}/uploads`, { method: 'POST', body })
  if (!response) return
  const { url } = (await response.json().catch(() => ({}))) as { url?: string }
  if (url === undefined) return
  if (client % 3 > 0) {
    journals.uploads.acknowledged.set(name, { url, sha256: createHash('sha256').update(content).digest('hex') })
    return
  }
  journals.removals.requested.add(url)
  if (await send(client + 1, `${project}${url}`, { method: 'DELETE' })) journals.removals.acknowledged.set(url, true)
}

const repositoryChanges = () => journals.tags.acknowledged.size + journals.commits.acknowledged.size

const killOne = async (round: number) => {
  const victim = Math.floor(random() * 4)
  if (victim < 2) {
    const { child, ended } = servers[victim] as (typeof servers)[number]
    child.kill('SIGKILL')
    expect((await ended).code, `seed ${seed}: a server ended by itself`).toBeNull()
    await startServer(victim)
  } else {
    const child = committers[victim - 2] as ChildProcess
    expect(child.exitCode, `seed ${seed}: a committer ended by itself`).toBeNull()
    child.kill('SIGKILL')
    await once(child, 'exit')
    await startCommitter(victim - 2, round)
  }
}

const stopAll = async (writers: readonly Promise<void>[]) => {
  stopping = true
  await Promise.all(writers)
  for (const committer of committers) {
    committer.kill('SIGKILL')
    if (committer.exitCode === null && committer.signalCode === null) await once(committer, 'exit')
  }
}

const git = (directory: string, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'safe.directory=*', `--git-dir=${directory}`, ...args], { encoding: 'utf8' })

const listFiles = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))

const verifyRepository = async () => {
  const [row] = await data.query(
    "select place from project_repository join project on id = project_id where path = 'web'",
  )
  const directory = join(data.repositories, String(row?.place))
  expect(git(directory, 'fsck', '--no-dangling', '--no-progress')).toBe('')
  const references = git(directory, 'for-each-ref', '--format=%(refname) %(objectname)').trim().split('\n')
  expect(references.filter((name) => name.startsWith('refs/forgelet/'))).toEqual([])
  expect(listFiles(directory).filter((name) => name.endsWith('.lock'))).toEqual([])
  const history = git(directory, 'log', '--format=%H %s', 'main').trim().split('\n')
  const messages = history
    .map((line) => line.split(' ')[1] as string)
    .filter((message) => message.startsWith('commit-'))
  expect(new Set(messages).size).toBe(messages.length)
  expect(messages.filter((message) => !journals.commits.requested.has(message))).toEqual([])
  const ids = new Set(history.map((line) => line.split(' ')[0]))
  expect([...journals.commits.acknowledged.values()].filter((id) => !ids.has(id))).toEqual([])
  const tags = new Set(references.flatMap((name) => /^refs\/tags\/(tag-\S+) /.exec(name)?.[1] ?? []))
  expect([...tags].filter((tag) => !journals.tags.requested.has(tag))).toEqual([])
  expect([...journals.tags.acknowledged.keys()].filter((tag) => !tags.has(tag))).toEqual([])
  return references
}

/** Each acknowledged push has one event; one that was not acknowledged has at most one. */
const verifyPushEvents = async () => {
  const rows = await data.query('select push from event where push is not null')
  const pushes = rows.map(({ push }) => (typeof push === 'string' ? JSON.parse(push) : push))
  const counts = new Map<string, number>()
  for (const { refType, ref, commitTo } of pushes) {
    const key = refType === 'tag' ? `tag ${ref}` : `commit ${commitTo}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const acknowledged = [
    ...[...journals.tags.acknowledged.keys()].map((tag) => `tag ${tag}`),
    ...[...journals.commits.acknowledged.values()].map((id) => `commit ${id}`),
  ]
  expect(acknowledged.filter((key) => counts.get(key) !== 1)).toEqual([])
  expect([...counts].filter(([key, number]) => /^tag tag-|^commit/.test(key) && number > 1)).toEqual([])
}

const verifyUploads = async (url: string) => {
  for (const [name, upload] of journals.uploads.acknowledged) {
    const response = await fetch(`${url}${project}${upload.url}`, { headers })
    const content = Buffer.from(await response.arrayBuffer())
    expect([response.status, createHash('sha256').update(content).digest('hex')], name).toEqual([200, upload.sha256])
  }
  for (const path of journals.removals.acknowledged.keys())
    expect((await fetch(`${url}${project}${path}`, { headers })).status).toBe(404)
  // Files of interrupted uploads have a job that removes them later.
  const expected = await data.query(
    `select storage_key from upload union all select key from job where kind = 'uploads.removeFile'`,
  )
  const keys = new Set(expected.map(({ storage_key }) => storage_key))
  const published = listFiles(data.files).filter((file) => !file.startsWith('.incoming'))
  expect(published.filter((file) => !keys.has(file))).toEqual([])
}

const verifyLabels = async () => {
  const rows = await data.query(
    'select label.name, label_priority.priority from label left join label_priority on label_id = label.id',
  )
  const labels = new Map(rows.map(({ name, priority }) => [String(name), priority]))
  expect([...journals.labels.acknowledged.keys()].filter((name) => !labels.has(name))).toEqual([])
  const written = [...labels].filter(([name]) => name.startsWith('label-'))
  expect(written.filter(([name]) => !journals.labels.requested.has(name))).toEqual([])
  expect(written.filter(([, priority]) => Number(priority) !== 1)).toEqual([])
}

it(
  'loses no acknowledged change when two servers on the same data are killed',
  async () => {
    const target = remote.create()
    const url = new URL(target.url)
    url.username = remote.user
    url.password = remote.password
    data = await createSharedData(database && (await createDatabase(database.url, 'two_servers')), url.href)
    for (const index of [0, 1]) await startServer(index)
    for (const index of [0, 1]) await startCommitter(index, 0)
    let failure: unknown
    const changes = [
      ['label-a', createLabel],
      ['label-b', createLabel],
      ['tag-a', createRelease],
      ['tag-b', createRelease],
      ['upload-a', uploadFile],
      ['upload-b', uploadFile],
    ] as const
    const writers = changes.map(([name, change]) =>
      repeat(name, change).catch((error: unknown) => {
        failure ??= error
      }),
    )
    let sessions = 0
    let before = repositoryChanges()
    for (let round = 1; round <= kills && failure === undefined; round++) {
      await pause(200 + random() * 1_000)
      sessions += await data.terminateSessions(1 + Math.floor(random() * 3))
      if (round % killsWithoutProgress === 0) {
        const progress = () => failure !== undefined || repositoryChanges() > before
        await expect
          .poll(progress, { timeout: 120_000, message: `seed ${seed}: no change of the repository` })
          .toBe(true)
        before = repositoryChanges()
      }
      await killOne(round)
    }
    await stopAll(writers)
    if (failure !== undefined) throw new Error(`seed ${seed}`, { cause: failure })

    // Takes the lock that a killed process may have left, and pushes everything to the mirror.
    const [server] = servers as [(typeof servers)[number]]
    await expect
      .poll(() => postJson(0, `${project}/releases`, { tag_name: 'tag-last', ref: 'main' }), { timeout: 120_000 })
      .toBeDefined()
    journals.tags.requested.add('tag-last')
    const recoveries = "select 1 from job where kind = 'repository.recover'"
    await expect.poll(async () => (await data.query(recoveries)).length, { timeout: 120_000 }).toBe(0)
    // Except daily jobs, and reservations of interrupted uploads, whose keys are storage keys: those are due in an hour.
    const sql = `select kind, state, last_error from job where key is null or (kind <> 'uploads.removeFile' and key <> 'every day')`
    await expect.poll(() => data.query(sql), { timeout: 180_000, interval: 500 }).toEqual([])
    expect(await data.query('select 1 from repository_lock')).toEqual([])

    const references = await verifyRepository()
    const mirrored = target.git('for-each-ref', '--format=%(refname) %(objectname)').split('\n')
    expect(mirrored).toEqual(references)
    await verifyPushEvents()
    await verifyLabels()
    await verifyUploads(server.url)
    for (const { stop } of servers) expect((await stop()).code).toBe(0)

    const acknowledged = Object.entries(journals).map(([name, { acknowledged }]) => [
      `acknowledged ${name}`,
      acknowledged.size,
    ])
    reportFigures(`${dialect}, seed ${seed}`, {
      kills,
      'terminated sessions': sessions,
      ...Object.fromEntries(acknowledged),
      ...Object.fromEntries([...refused].map(([what, times]) => [`refused: ${what}`, times])),
    })
  },
  900_000 + kills * 60_000,
)
