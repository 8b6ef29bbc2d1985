import { postgres } from '@forgelet/core'
import { createDatabase, executeOn } from '../../support/postgres-database.ts'
import { startPostgresServer } from '../../support/postgres-server.ts'
import { type Child, start } from '../child.ts'
import { cpuSeconds, cpuSecondsOf, hasCpuTimes, totalCpuSeconds } from '../cpu-time.ts'
import { seedStore, token, type World } from '../data-file.ts'
import type { Load, LoadResult } from '../load-client.ts'
import { mixedProjects, type Scenario } from '../load-scenarios.ts'
import { alternate, median, pairedRatio } from '../measure.ts'
import { atLeast, atMost, type Line, type Table } from '../table.ts'
import { copyWorld, progress, world } from '../temporary-files.ts'

interface Goals {
  readonly what: string
  /** The least ratio to SQLite with 8 clients. */
  readonly ofSqlite?: number
  /** The least ratio of two server processes to one. */
  readonly processes?: number
  /** The greatest p99 with 8 clients, as a multiple of p50. */
  readonly tail?: number
}

const goals = {
  page: { what: 'a page of labels', ofSqlite: 0.35, processes: 1.3 },
  ownLabel: { what: 'create a label, own projects', ofSqlite: 0.5, processes: 1.1, tail: 4 },
  ownIssue: { what: 'create an issue, own projects', ofSqlite: 0.5, processes: 1.1, tail: 4 },
  sharedIssue: { what: 'create an issue, one project', ofSqlite: 0.4 },
  mixed: { what: 'nine kinds of writes, four projects' },
} as const satisfies Partial<Record<Scenario, Goals>>

type Measured = keyof typeof goals

/** The database, the number of server processes and the number of clients. */
const variants = {
  'SQLite, 1 client': { servers: ['sqlite'], clients: 1 },
  'SQLite, 8 clients': { servers: ['sqlite'], clients: 8 },
  'PostgreSQL, 1 client': { servers: ['postgres'], clients: 1 },
  'PostgreSQL, 8 clients': { servers: ['postgres'], clients: 8 },
  'PostgreSQL, 2 processes, 8 clients': { servers: ['postgres', 'second'], clients: 8 },
} as const

type Variant = keyof typeof variants
type ServerName = (typeof variants)[Variant]['servers'][number]

const names = Object.keys(variants) as Variant[]
const rounds = 5
const sliceSeconds = 0.8
const warmUpSeconds = 3

interface Running extends Child {
  readonly port: number
  readonly world: World
}

/** The issue and the label that mixed writes change. */
const prepareMixedProjects = async ({ port, world }: Running) => {
  const post = async (path: string, json: object) => {
    const headers = { 'PRIVATE-TOKEN': token, 'Content-Type': 'application/json' }
    const url = `http://127.0.0.1:${port}/api/v4/projects/${path}`
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(json) })
    if (!reply.ok) throw new Error(`POST ${url} answered ${reply.status}: ${await reply.text()}`)
  }
  for (const project of mixedProjects(world)) {
    await post(`${project}/issues`, { title: 'Mixed' })
    await post(`${project}/labels`, { name: 'mixed', color: '#428BCA' })
  }
}

/** A slice of load, with the CPU time that it took. */
interface Slice extends LoadResult {
  /** CPU seconds of the servers. */
  readonly server: number
  /** CPU seconds of all processes of PostgreSQL. */
  readonly database: number
  /** CPU seconds of all processes of the machine. */
  readonly total: number
}

const readCpuTimes = (servers: readonly Running[]) =>
  hasCpuTimes
    ? {
        server: servers.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0),
        database: cpuSecondsOf('postgres'),
        total: totalCpuSeconds(),
      }
    : { server: Number.NaN, database: Number.NaN, total: Number.NaN }

const rateOf = ({ requests, seconds }: LoadResult) => requests / seconds
const shareOf = ({ unavailable, requests }: LoadResult) => (unavailable * 100) / requests

const columns = ['requests/s', 'p50 ms', 'p99 ms', '503 %', 'server CPU ms', 'database CPU ms', 'busy cores'] as const

/** CPU milliseconds of a request in the servers and in PostgreSQL, and the cores that all processes together kept busy. */
const costOf = (slices: readonly Slice[]) => ({
  server: median(slices.map(({ server, requests }) => (server * 1_000) / requests)),
  database: median(slices.map(({ database, requests }) => (database * 1_000) / requests)),
  cores: median(slices.map(({ total, seconds }) => total / seconds)),
})

/** Where the time of a request goes, for targets that are missed. */
const explain = (results: Readonly<Record<Variant, readonly Slice[]>>): string => {
  const reference = costOf(results['SQLite, 8 clients'])
  const one = costOf(results['PostgreSQL, 8 clients'])
  const two = costOf(results['PostgreSQL, 2 processes, 8 clients'])
  const numbers = [reference.server, one.server, one.database, one.cores, two.cores].map((value) => value.toFixed(2))
  const [sqlite, server, database, cores, coresOfTwo] = numbers
  return `A request takes ${sqlite} ms of CPU on SQLite; on PostgreSQL it takes ${server} ms in the server and ${database} ms in the database. One process and the database keep ${cores} cores busy with the load client, two processes ${coresOfTwo}.`
}

const tableOf = (scenario: Measured, results: Readonly<Record<Variant, readonly Slice[]>>): Table => {
  const { what, ofSqlite, processes, tail }: Goals = goals[scenario]
  const valuesOf = (variant: Variant) => {
    const column = (read: (result: Slice) => number) => median(results[variant].map(read))
    const worst = Math.max(...results[variant].map(shareOf))
    const { server, database, cores } = costOf(results[variant])
    return [column(rateOf), column(({ p50 }) => p50), column(({ p99 }) => p99), worst, server, database, cores]
  }
  const ratio = (numerator: Variant, denominator: Variant) =>
    pairedRatio(results[numerator].map(rateOf), results[denominator].map(rateOf))
  const only = (value: number, at = 0) => columns.map((_, index) => (index === at ? value : ''))
  const goal = (name: string, value: number, least: number | undefined, reason = ''): Line =>
    least === undefined ? { what: name, values: only(value) } : atLeast(name, only(value), value, least, { reason })
  const eight = 'PostgreSQL, 8 clients'
  const failed = Math.max(...names.filter((name) => name.startsWith('P')).flatMap((name) => results[name].map(shareOf)))
  const tails = median(results[eight].map(({ p50, p99 }) => p99 / p50))
  return {
    title: `PostgreSQL: ${what}`,
    columns,
    lines: [
      ...names.map((variant) => ({ what: variant, values: valuesOf(variant) })),
      goal('PostgreSQL / SQLite, 1 client', ratio('PostgreSQL, 1 client', 'SQLite, 1 client'), undefined),
      goal('PostgreSQL / SQLite, 8 clients', ratio(eight, 'SQLite, 8 clients'), ofSqlite, explain(results)),
      goal('8 clients / 1 client', ratio(eight, 'PostgreSQL, 1 client'), 1),
      goal('2 processes / 1 process', ratio('PostgreSQL, 2 processes, 8 clients', eight), processes, explain(results)),
      ...(tail ? [atMost('p99 / p50', only(tails, 2), tails, tail)] : []),
      atMost('share of 503', only(failed, 3), failed, 0),
    ],
  }
}

/**
 * What the server does itself within a minute or two, in the middle of the measurement. It leaves out tables with few changes, too:
 * after `analyze` of an empty table, foreign keys are checked by reading the whole table until the next one.
 */
const analyzeFilledTables = `
  do $$
  declare name text; is_filled boolean;
  begin
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('select exists (select from %I offset 50)', name) into is_filled;
      if is_filled then execute format('analyze %I', name); end if;
    end loop;
  end $$`

const startAll = async (databaseUrl: string): Promise<Record<ServerName, Running>> => {
  const data = await world()
  progress('postgres: seeding the database')
  const postgresData = await seedStore(postgres(databaseUrl))
  await executeOn(databaseUrl, analyzeFilledTables)
  const run = async (database: string, world: World): Promise<Running> => {
    const server = await start<{ port: number }>('./servers/database-server.ts', [database])
    return { ...server, port: server.ready.port, world }
  }
  return {
    sqlite: await run(await copyWorld('postgres-reference.db'), data),
    postgres: await run(databaseUrl, postgresData),
    second: await run(databaseUrl, postgresData),
  }
}

/** Load on one and two servers with PostgreSQL, next to the same load on SQLite in the same run. */
export async function postgresLoad(): Promise<Table[]> {
  const database = await startPostgresServer()
  const client = await start('./load-client.ts', [])
  let servers: Record<ServerName, Running> | undefined
  let slice = 0
  try {
    const running = await startAll(await createDatabase(database.url, 'bench'))
    servers = running
    await Promise.all([prepareMixedProjects(running.sqlite), prepareMixedProjects(running.postgres)])
    const measure = async (scenario: Measured, variant: Variant, seconds: number) => {
      const { servers: serverNames, clients } = variants[variant]
      const before = readCpuTimes(serverNames.map((name) => running[name]))
      const result = await client.request<LoadResult>({
        ports: serverNames.map((name) => running[name].port),
        scenario,
        connections: clients,
        // The server and the database need both cores.
        awake: false,
        requests: Number.MAX_SAFE_INTEGER,
        seconds,
        world: running[serverNames[0]].world,
        slice: ++slice,
      } satisfies Load)
      if (result.failure !== undefined) throw new Error(`A request to ${variant} failed: ${result.failure}`)
      const after = readCpuTimes(serverNames.map((name) => running[name]))
      const used = (name: keyof typeof after) => after[name] - before[name]
      return { ...result, server: used('server'), database: used('database'), total: used('total') }
    }
    const tables: Table[] = []
    for (const scenario of Object.keys(goals) as Measured[]) {
      progress(`postgres: ${goals[scenario].what}`)
      await measure(scenario, 'SQLite, 8 clients', warmUpSeconds)
      await measure(scenario, 'PostgreSQL, 2 processes, 8 clients', warmUpSeconds)
      tables.push(tableOf(scenario, await alternate(names, rounds, (name) => measure(scenario, name, sliceSeconds))))
    }
    return tables
  } finally {
    await Promise.all([client, ...Object.values(servers ?? {})].map((child) => child.stop()))
    await database.remove()
  }
}
