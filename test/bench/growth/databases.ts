import { createPlatform, type Platform, postgres, sqlite } from '@forgelet/core'
import Database from 'better-sqlite3'
import pg from 'pg'
import { createDatabase } from '../../support/postgres-database.ts'
import type { PostgresServer } from '../../support/postgres-server.ts'
import { temporaryPath } from '../temporary-files.ts'

/** One query that a call executed, as the database executes it. */
export interface QueryPlan {
  /** Indexes of growing tables, scans of whole tables, and `sort`. */
  readonly steps: readonly string[]
  /** Rows that the steps read; undefined on SQLite, which does not count them. */
  readonly rows?: number
}

/** A database with a platform, and the plans of the queries that it executes. */
export interface GrowthDatabase {
  readonly platform: Platform
  /** Runs SQL that both databases accept. */
  execute(text: string): Promise<void>
  /** The columns of a table that an insert sets; the id is generated. */
  columns(table: string): Promise<string[]>
  /** Runs each call and returns the plans of its queries. */
  explain(calls: readonly ((platform: Platform) => Promise<unknown>)[]): Promise<QueryPlan[][]>
  close(): Promise<void>
}

const isQuery = (text: string) => /^(select|with) /i.test(text)

/** The tables that grow; the plans name only these. */
const growing = new Set(['user', 'member', 'label', 'issue', 'issue_label', 'note', 'todo', 'event', 'project'])

const sqliteStep = (detail: string): string[] => {
  const [, kind, table = ''] = /^(SCAN|SEARCH) (\w+)/.exec(detail) ?? []
  const [, index] = /INDEX (\w+)/.exec(detail) ?? []
  if (/TEMP B-TREE FOR (ORDER|GROUP) BY/.test(detail)) return ['sort']
  if (kind === undefined || !growing.has(table)) return []
  if (kind === 'SCAN') return [`scan of ${index ?? table}`]
  return [index ?? `${table} by key`]
}

export const openSqlite = async (name: string): Promise<GrowthDatabase> => {
  const path = temporaryPath(`${name}.db`)
  const platform = createPlatform(sqlite(path, { durability: 'process' }))
  await platform.ready()
  const file = new Database(path)
  return {
    platform,
    execute: async (text) => void file.exec(text),
    columns: async (table) =>
      file
        .prepare("select name from pragma_table_xinfo(?) where hidden = 0 and name <> 'id'")
        .pluck()
        .all(table) as string[],
    /** In a copy in memory: recording the statements would slow down the others. */
    async explain(calls) {
      const recorded: string[] = []
      const image = file.serialize()
      // A database in memory has no write-ahead log: the format versions in the header have to say so.
      image.fill(1, 18, 20)
      const copy = new Database(image, { verbose: (text) => void recorded.push(String(text)) })
      const recording = createPlatform(sqlite(copy))
      const plans: QueryPlan[][] = []
      for (const call of calls) {
        recorded.length = 0
        await call(recording)
        plans.push(
          recorded.filter(isQuery).map((text) => {
            const plan = copy.prepare(`explain query plan ${text}`).all() as { detail: string }[]
            return { steps: plan.flatMap(({ detail }) => sqliteStep(detail)) }
          }),
        )
      }
      await recording.close()
      copy.close()
      return plans
    },
    async close() {
      await platform.close()
      file.close()
    },
  }
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const postgresSteps = (node: PlanNode): string[] => {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index } = node
  if (type === 'Sort' || type === 'Incremental Sort') return ['sort']
  if (type === 'Seq Scan') return growing.has(table ?? '') ? [`scan of ${table}`] : []
  return index !== undefined && (table === undefined || growing.has(table)) ? [index] : []
}

const readRows = (node: PlanNode): number =>
  / Scan$/.test(node['Node Type']) && (node['Relation Name'] !== undefined || node['Index Name'] !== undefined)
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0

export const openPostgres = async (server: PostgresServer, name: string): Promise<GrowthDatabase> => {
  let recorded: { readonly text: string; readonly values?: readonly unknown[] }[] | undefined
  /** Records the statements that it executes. */
  class RecordingClient extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg
    override query(...args: any[]): any {
      if (typeof args[0]?.text === 'string') recorded?.push(args[0])
      return super.query(...(args as [never]))
    }
  }
  const pool = new pg.Pool({
    connectionString: await createDatabase(server.url, name),
    max: 4,
    Client: RecordingClient,
  })
  const platform = createPlatform(postgres(pool))
  await platform.ready()
  return {
    platform,
    execute: async (text) => void (await pool.query(text)),
    columns: async (table) => {
      const { rows } = await pool.query(
        `select column_name from information_schema.columns where table_schema = current_schema() and table_name = $1
         and is_identity = 'NO' and is_generated = 'NEVER'`,
        [table],
      )
      return rows.map((row) => row.column_name as string)
    },
    async explain(calls) {
      const plans: QueryPlan[][] = []
      for (const call of calls) {
        recorded = []
        await call(platform)
        const queries = recorded.filter(({ text }) => isQuery(text))
        recorded = undefined
        const callPlans: QueryPlan[] = []
        for (const { text, values = [] } of queries) {
          const { rows } = await pool.query(`explain (analyze, timing off, format json) ${text}`, [...values])
          const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan as PlanNode)
          callPlans.push({
            steps: nodes.flatMap(postgresSteps),
            rows: nodes.reduce((sum, node) => sum + readRows(node), 0),
          })
        }
        plans.push(callPlans)
      }
      return plans
    },
    async close() {
      await platform.close()
      await pool.end()
    },
  }
}
