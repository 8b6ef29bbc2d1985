import type { Session } from '@forgelet/core'
import { startPostgresServer } from '../../support/postgres-server.ts'
import { fill, project, user } from '../growth/data.ts'
import { type GrowthDatabase, openPostgres, openSqlite, type QueryPlan } from '../growth/databases.ts'
import { alternate, median, microseconds, pairedRatio } from '../measure.ts'
import { atMost, type Line, type Table } from '../table.ts'
import { progress } from '../temporary-files.ts'

const factors = ['1', '10', '100'] as const
type Factor = (typeof factors)[number]

const rounds = 5

/** Milliseconds of one measurement; slow calls run once. */
const slice = 10

/** Makes names unique. */
let created = 0

const calls: Readonly<Record<string, (session: Session) => Promise<unknown>>> = {
  'get a project': ({ projects }) => projects.get({ project }),
  'list projects': ({ projects }) => projects.list({}),
  'list members': ({ members }) => members.list({ project }),
  'list labels': ({ labels }) => labels.list({ project }),
  'get a label': ({ labels }) => labels.get({ project, label: 'label 500' }),
  'list issues': ({ issues }) => issues.list({ project }),
  'list issues with a label': ({ issues }) => issues.list({ project, labels: ['label 500'] }),
  'get an issue': ({ issues }) => issues.get({ project, issue: 500 }),
  'count issues': ({ issueStatistics }) => issueStatistics.get({ project }),
  'list notes': ({ notes }) => notes.list({ project, issue: 1 }),
  'list to-do items': ({ todos }) => todos.list(),
  'list events of a project': ({ events }) => events.list({ project }),
  'list events of a user': ({ events }) => events.list({ user }),
  'create a label': ({ labels }) => labels.create({ project, name: `new ${++created}`, color: 'red' }),
  'create an issue': ({ issues }) => issues.create({ project, title: `new ${++created}`, labels: ['label 500'] }),
  'create a note': ({ notes }) => notes.create({ project, issue: 2, body: `new ${++created}` }),
}

const total = 'The total reads 1,000 rows with once the data, and at most 10,001 with more.'
const notes = `${total} An issue of the page has all notes, which its field user_notes_count counts.`

/** Why calls grow with the data. */
const reasons: Readonly<Record<string, string>> = {
  'list projects': total,
  'list labels': total,
  'list issues': notes,
  'list notes': total,
  'list to-do items': notes,
  'list events of a project': total,
}

type Databases = Readonly<Record<Factor, GrowthDatabase>>

const open = async (openOne: (name: string) => Promise<GrowthDatabase>): Promise<Databases> => {
  const opened: [Factor, GrowthDatabase][] = []
  for (const factor of factors) {
    progress(`growth: inserting ${factor} x the data`)
    const database = await openOne(`growth_${factor}`)
    await fill(database, Number(factor))
    opened.push([factor, database])
  }
  return Object.fromEntries(opened) as unknown as Databases
}

const sumRows = (plans: readonly QueryPlan[]) => plans.reduce((sum, { rows = 0 }) => sum + rows, 0)

const describePlans = (plans: readonly QueryPlan[]) => [...new Set(plans.flatMap(({ steps }) => steps))].join(', ')

/** The plans of each call, by its name. */
const explainCalls = async (database: GrowthDatabase): Promise<ReadonlyMap<string, readonly QueryPlan[]>> => {
  const named = Object.entries(calls)
  const plans = await database.explain(
    named.map(
      ([, call]) =>
        (platform) =>
          call(platform.as({ user })),
    ),
  )
  return new Map(named.map(([what], at) => [what, plans[at] ?? []]))
}

const measure = async (databases: Databases, name: string, isPostgres: boolean): Promise<readonly Table[]> => {
  const sessions = Object.fromEntries(
    factors.map((factor) => [factor, databases[factor].platform.as({ user })]),
  ) as unknown as Readonly<Record<Factor, Session>>
  const plans = {
    1: await explainCalls(databases[1]),
    10: await explainCalls(databases[10]),
    100: await explainCalls(databases[100]),
  }
  const lines: Line[] = []
  const planLines: Line[] = []
  for (const [what, call] of Object.entries(calls)) {
    progress(`growth: ${what}`)
    const counts = new Map<Factor, number>()
    for (const factor of factors) {
      const time = await microseconds(3, () => call(sessions[factor]))
      counts.set(factor, Math.max(1, Math.min(20, Math.round((slice * 1_000) / time))))
    }
    const times = await alternate(factors, rounds, (factor) =>
      microseconds(counts.get(factor) as number, () => call(sessions[factor])),
    )
    const ratio = pairedRatio(times[100], times[1])
    const rows = isPostgres ? factors.map((factor) => sumRows(plans[factor].get(what) ?? [])) : []
    const values = [...factors.map((factor) => median(times[factor]) / 1_000), ratio, ...rows]
    const reason = reasons[what]
    lines.push(atMost(what, values, ratio, 3, reason ? { reason } : {}))
    const largest = plans[100].get(what) ?? []
    planLines.push({ what, values: [largest.length, describePlans(largest)] })
  }
  const sizes = factors.map((factor) => `${factor}x`)
  return [
    {
      title: `Calls with 1, 10 and 100 times the data on ${name}`,
      columns: [
        ...sizes.map((size) => `${size} ms`),
        '100x / 1x',
        ...(isPostgres ? sizes.map((size) => `${size} rows`) : []),
      ],
      lines,
      reference: `the same call with 1,000 rows a table, ${name}`,
      notes: [
        '1x: 1,000 users, projects, members, labels, issues, notes, events and to-do items; 100x: 100,000 of each. All but the ' +
          'users and projects belong to one project.',
        ...(isPostgres ? ['Rows: those that all scans of the call read, according to `explain analyze`.'] : []),
      ],
    },
    {
      title: `Query plans with 100 times the data on ${name}`,
      columns: ['queries', 'indexes and scans of the growing tables'],
      lines: planLines,
    },
  ]
}

/** The same calls with 1, 10 and 100 times the data, on both databases: their time must not depend on the amount of data. */
export async function growth(): Promise<Table[]> {
  const tables: Table[] = []
  progress('growth: SQLite')
  const onSqlite = await open(openSqlite)
  tables.push(...(await measure(onSqlite, 'SQLite', false)))
  for (const factor of factors) await onSqlite[factor].close()
  const server = await startPostgresServer()
  try {
    progress('growth: PostgreSQL')
    const onPostgres = await open((name) => openPostgres(server, name))
    tables.push(...(await measure(onPostgres, 'PostgreSQL', true)))
    for (const factor of factors) await onPostgres[factor].close()
  } finally {
    await server.remove()
  }
  return tables
}
