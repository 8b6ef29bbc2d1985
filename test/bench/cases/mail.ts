import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createPlatform, sqlite } from '@forgelet/core'
import { seed } from '@forgelet/core/seed'
import { type FakeForge, type FakeForgeOptions, fakeForge, type Seed } from '@forgelet/fixtures'
import type Sqlite from 'better-sqlite3'
import { median } from '../measure.ts'
import { atMost, type Line, type Table } from '../table.ts'
import { progress, temporaryPath } from '../temporary-files.ts'

/** What notifications cost: the same events without mail, and with 0, 5 and 500 recipients, in one run. */

const Database = createRequire(import.meta.url)('better-sqlite3') as typeof Sqlite

const project = 'team/app'
/** An odd number, so that the median is one of the measured values. */
const rounds = 5

let executed = 0
let writes = 0

/** Counts the statements that run from now on. */
const countStatements = () => {
  const { prototype } = new Database(':memory:').prepare('select 1').constructor as { prototype: Sqlite.Statement }
  for (const method of ['run', 'all', 'get', 'iterate'] as const) {
    const original = prototype[method] as (...values: unknown[]) => unknown
    Object.assign(prototype, {
      [method](this: Sqlite.Statement, ...values: unknown[]) {
        executed++
        if (!this.readonly) writes++
        return original.apply(this, values)
      },
    })
  }
}

interface Cost {
  readonly statements: number
  /** Statements that can change rows. */
  readonly writes: number
  readonly rows: number
  /** Written to the log of the database: whole pages. */
  readonly kibibytes: number
  readonly milliseconds: number
}

/** A forge with its data in a file, and a second connection to it. */
interface World {
  readonly forge: FakeForge
  readonly file: Sqlite.Database
}

/** Starts a new write-ahead log, so that its size is what is written from now on. */
const emptyLog = ({ file }: World) => file.pragma('wal_checkpoint(TRUNCATE)')

const readLogSize = ({ file }: World): number => statSync(`${file.name}-wal`).size / 1_024

/** Rows that the connection has written so far. */
const readWrites = async ({ platform }: FakeForge): Promise<number> => {
  const [row] = await platform.atomic((_platform, _at, sql) => sql('select total_changes() as count'))
  return Number(row?.count)
}

const measure = async (world: World, work: () => Promise<unknown>): Promise<Cost> => {
  const { forge } = world
  emptyLog(world)
  const before = await readWrites(forge)
  const [first, firstWrite] = [executed, writes]
  const start = performance.now()
  await work()
  const milliseconds = performance.now() - start
  const counts = { statements: executed - first, writes: writes - firstWrite }
  return { ...counts, rows: (await readWrites(forge)) - before, kibibytes: readLogSize(world), milliseconds }
}

const toMedian = (costs: readonly Cost[]): Cost => ({
  statements: median(costs.map(({ statements }) => statements)),
  writes: median(costs.map(({ writes }) => writes)),
  rows: median(costs.map(({ rows }) => rows)),
  kibibytes: median(costs.map(({ kibibytes }) => kibibytes)),
  milliseconds: median(costs.map(({ milliseconds }) => milliseconds)),
})

const names = (count: number) => Array.from({ length: count }, (_, at) => `user${at}`)

const createSeed = (recipients: number): Seed => ({
  users: ['author', ...names(recipients)].map((username) => ({ username })),
  groups: [{ path: 'team', visibility: 'private', members: [{ user: 'author', access: 'owner' }] }],
  projects: [
    {
      path: project,
      visibility: 'private',
      members: names(recipients).map((user) => ({ user, access: 'reporter' })),
      issues: [{ title: 'Slow', author: 'author' }],
      mergeRequests: [{ title: 'Fast', author: 'author', sourceBranch: 'fast', targetBranch: 'main' }],
    },
  ],
})

type Event = (forge: FakeForge, round: number) => Promise<unknown>

const events: Readonly<Record<string, Event>> = {
  'a comment on an issue': ({ as }) => as('author').notes.create({ project, issue: 1, body: 'Text' }),
  'a new issue': ({ as }, round) => as('author').issues.create({ project, title: `Issue ${round}` }),
  'a push to a merge request': ({ as }, round) =>
    as('author').events.create({
      project,
      ref: 'fast',
      before: '9'.repeat(40),
      after: `${round + 1}`.padStart(40, '0'),
    }),
}

/** The call, and the job that finds and stores the recipients. */
const measureEvent = async (world: World, event: Event): Promise<readonly [call: Cost, job: Cost]> => {
  const { forge, file } = world
  const calls: Cost[] = []
  const jobs: Cost[] = []
  for (let round = 0; round <= rounds; round++) {
    let isStored = false
    const stop = forge.platform.on('notification.created', () => {
      isStored = true
    })
    const call = await measure(world, () => event(forge, round))
    const job = await measure(world, () => forge.platform.jobs.drain(() => isStored))
    stop()
    // Sending hundreds of mails is not measured.
    file.exec("delete from job where kind = 'notifications.send'")
    await forge.platform.jobs.drain()
    // The first round fills the caches and prepares the statements.
    if (round === 0) continue
    calls.push(call)
    jobs.push(job)
  }
  return [toMedian(calls), toMedian(jobs)]
}

const openFile =
  (path: string): NonNullable<FakeForgeOptions['openStore']> =>
  async (data, options) => {
    const platform = createPlatform(sqlite(path), options)
    await seed(platform, data)
    await platform.close()
    return sqlite(path)
  }

const openWorld = async (recipients: number | undefined): Promise<World> => {
  const path = temporaryPath(`mail-${recipients ?? 'off'}.db`)
  const from = recipients === undefined ? null : 'forge@example.com'
  const forge = await fakeForge({
    seed: createSeed(recipients ?? 500),
    openStore: openFile(path),
    ports: { mail: { from, send: async () => undefined } },
  })
  for (const user of names(recipients ?? 500)) {
    await forge.as(user).notificationSettings.update({ project, level: 'watch' })
    await forge.as(user).subscriptions.subscribe({ project, mergeRequest: 1 })
  }
  return { forge, file: new Database(path) }
}

const scenarios = [undefined, 0, 5, 500] as const

export async function notificationMail(): Promise<Table[]> {
  countStatements()
  const costs = new Map<string, readonly [Cost, Cost]>()
  for (const recipients of scenarios) {
    const world = await openWorld(recipients)
    for (const [name, event] of Object.entries(events)) {
      progress(`mail: ${name}, ${recipients ?? 'no'} recipients`)
      costs.set(`${name} ${recipients}`, await measureEvent(world, event))
    }
    world.file.close()
    await world.forge.close()
  }
  const toLines = (part: 0 | 1) =>
    Object.keys(events).flatMap((name) => {
      const costOf = (recipients: number | undefined) =>
        (costs.get(`${name} ${recipients}`) as readonly [Cost, Cost])[part]
      return scenarios.map((recipients): Line => {
        const { statements, writes, rows, kibibytes, milliseconds } = costOf(recipients)
        const what = recipients === undefined ? `${name}, without mail` : `${name}, ${recipients} recipients`
        const values = [statements, writes, rows, kibibytes, milliseconds]
        if (recipients !== 500) return { what, values }
        return atMost(what, values, writes / costOf(5).writes, 1)
      })
    })
  const columns = ['statements', 'of them writing', 'rows', 'KiB', 'ms']
  return [
    {
      title: 'Calls that cause notifications',
      reference: 'the writing statements of the same call with 5 recipients',
      columns,
      lines: toLines(0),
      notes: [
        `Medians of ${rounds} calls with SQLite in a file. Rows: those that the statements insert, change or delete, with the rows of indexes for full texts. KiB: what they write to the write-ahead log, in whole pages of 4 KiB.`,
      ],
    },
    {
      title: 'The job that stores the recipients of an event',
      reference: 'the writing statements of the same job for 5 recipients',
      columns,
      lines: toLines(1),
      notes: ['It runs after the call. A further job for each recipient sends the mail.'],
    },
  ]
}
