import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Handle, Row, Store } from '../../kernel/store.ts'
import { rebuildCounters, verifyCounters } from '../counters/verify.ts'
import { listTables, readLastIds, removeLimits, suspendReferences, type TableInfo, writeLastIds } from './catalog.ts'

/** What was copied. */
export interface StoreCopy {
  readonly tables: number
  readonly rows: number
}

/** Rows that are read and inserted at a time. */
const batchSize = 200

const toProperty = (column: string) => column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Reads a table in the order of its key, in batches. */
async function* readBatches({ dialect, run }: Handle, { name, key }: TableInfo): AsyncGenerator<readonly Row[]> {
  const columns = key.map((column) => `"${column}"`).join(', ')
  const values = key.map((_, index) => (dialect === 'sqlite' ? '?' : `$${index + 1}`)).join(', ')
  let last: Row | undefined
  do {
    const after = last === undefined ? '' : `where (${columns}) > (${values})`
    const parameters = last === undefined ? [] : key.map((column) => last?.[toProperty(column)])
    // Tables without a key have few rows.
    const paging = key.length ? `${after} order by ${columns} limit ${batchSize}` : ''
    const rows = await run(`select * from "${name}" ${paging}`, parameters)
    if (rows.length) yield rows
    last = key.length && rows.length === batchSize ? rows.at(-1) : undefined
  } while (last !== undefined)
}

/** Does not depend on the order of rows and columns, or on how a database stores a value. */
const createChecksum = () => {
  let rows = 0
  let sum = 0n
  return {
    add(row: Row) {
      const entries = Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))
      const digest = createHash('sha256').update(JSON.stringify(entries)).digest('hex')
      rows += 1
      sum = BigInt.asUintN(128, sum + BigInt(`0x${digest.slice(0, 32)}`))
    },
    toText: () => `${rows} rows, ${sum.toString(16)}`,
    countRows: () => rows,
  }
}

const readChecksum = async (handle: Handle, table: TableInfo) => {
  const checksum = createChecksum()
  for await (const rows of readBatches(handle, table)) for (const row of rows) checksum.add(row)
  return checksum.toText()
}

/** Values of JSON columns are texts for the database, also those that are texts themselves. */
const encodeJson = (row: Row, json: readonly string[]): Row => {
  const encoded = json.map(toProperty).filter((column) => row[column] !== null)
  if (!encoded.length) return row
  return { ...row, ...Object.fromEntries(encoded.map((column) => [column, JSON.stringify(row[column])])) }
}

const copyTable = async (from: Handle, to: Handle, table: TableInfo) => {
  const checksum = createChecksum()
  const property = toProperty(table.name)
  for await (const rows of readBatches(from, table)) {
    for (const row of rows) checksum.add(row)
    // biome-ignore lint/suspicious/noExplicitAny: one statement for all tables
    const db = to.db as Kysely<any>
    await db
      .insertInto(property)
      .values(rows.map((row) => encodeJson(row, table.json)))
      .execute()
  }
  return checksum
}

const assertEmpty = async (handle: Handle, tables: readonly TableInfo[]) => {
  for (const { name } of tables) {
    const rows = await handle.run(`select 1 as present from "${name}" limit 1`, [])
    if (rows.length) throw new Error(`The target is not empty: it has rows in ${name}`)
  }
}

const assertSameTables = (source: readonly TableInfo[], target: readonly TableInfo[]) => {
  const names = new Set(source.map(({ name }) => name))
  const missing = target.find(({ name }) => !names.has(name))
  if (missing) throw new Error(`The source has no table ${missing.name}: migrate it first`)
}

const copyInTransaction = async (
  from: Handle,
  to: Handle,
  onTable: (name: string, done: number, total: number) => void,
): Promise<StoreCopy> => {
  for (const handle of [from, to]) await removeLimits(handle)
  const tables = await listTables(to)
  assertSameTables(await listTables(from), tables)
  await assertEmpty(to, tables)
  const checkReferences = await suspendReferences(to)
  let rows = 0
  const checksums = new Map<string, string>()
  for (const [index, table] of tables.entries()) {
    onTable(table.name, index, tables.length)
    const checksum = await copyTable(from, to, table)
    checksums.set(table.name, checksum.toText())
    rows += checksum.countRows()
  }
  await checkReferences()
  await rebuildCounters(to)
  await writeLastIds(to, await readLastIds(from, tables))
  for (const table of tables) {
    const copied = await readChecksum(to, table)
    const original = checksums.get(table.name)
    if (copied !== original) throw new Error(`The copy of ${table.name} differs: ${copied} instead of ${original}`)
  }
  const [wrong] = await verifyCounters(to)
  if (wrong) throw new Error(`The counters of ${wrong.table} differ`)
  if (to.dialect === 'postgres') await to.run('analyze', [])
  onTable('all tables', tables.length, tables.length)
  return { tables: tables.length, rows }
}

/**
 * Copies all rows of a database into an empty one, such as from SQLite to PostgreSQL, in one transaction, and compares both. Other
 * writes on the source wait. Repositories, uploaded files and the key of stored secrets are not in the database.
 *
 * @param onTable called before each table, and at the end
 * @throws Error if the target has data, the source is not migrated, or the copy differs
 */
export const copyStore = async (
  from: Store,
  to: Store,
  onTable: (name: string, done: number, total: number) => void = () => undefined,
): Promise<StoreCopy> => {
  const { pending = [] } = (await from.readState?.()) ?? {}
  if (pending.length) throw new Error(`The source is not migrated (${pending[0]}): run forgelet migrate`)
  await to.migrate()
  return from.writeAlone((source) => to.writeAlone((target) => copyInTransaction(source, target, onTable)))
}
