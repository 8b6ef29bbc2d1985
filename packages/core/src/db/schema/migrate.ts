import type { Handle } from '../../kernel/store.ts'
import type { StoreState } from '../../kernel/store-state.ts'
import { getErrorCode } from '../../shared/error-code.ts'
import type { CompleteRow } from '../complete-row.ts'
import { baseline, migrations } from './migrations.ts'

type RunTransaction = <T>(work: (handle: Handle) => Promise<T>) => Promise<T>

const createMigrationTable = (handle: Handle) =>
  handle.db.schema
    .createTable('forgelet_migration')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('applied_at', 'text', (column) => column.notNull())
    .execute()

const readAppliedMigrations = async (handle: Handle): Promise<ReadonlySet<string>> => {
  const rows = await handle.db.selectFrom('forgeletMigration').select('name').execute()
  return new Set(rows.map(({ name }) => name))
}

/** Runs `work` once for all callers. After a failure the next call runs it again. */
export const runUntilSuccess = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | undefined
  return () => {
    running ??= work().catch((error: unknown) => {
      running = undefined
      throw error
    })
    return running
  }
}

/** Compares the applied migrations with those of this version, without changing anything. */
export async function readSchemaState(handle: Handle): Promise<Pick<StoreState, 'applied' | 'pending' | 'unknown'>> {
  const applied = await readAppliedMigrations(handle).catch((error: unknown) => {
    if (isMissingTableError(error)) return new Set<string>()
    throw error
  })
  return { applied: applied.size, pending: listPending(applied).map(({ name }) => name), unknown: listUnknown(applied) }
}

const listPending = (applied: ReadonlySet<string>) => migrations.filter(({ name }) => !applied.has(name))

/** The applied migrations that this version does not have. */
export const listUnknown = (applied: Iterable<string>): readonly string[] => {
  const known = new Set(migrations.map(({ name }) => name))
  return [...applied].filter((name) => !known.has(name)).toSorted()
}

/** A database without migrations has no migration table. */
const isMissingTableError = (error: unknown): boolean =>
  error instanceof Error && (getErrorCode(error) === '42P01' || error.message.startsWith('no such table'))

/**
 * The database has migrations that this version does not have: a newer version migrated it, or a development version from before
 * the first release created it. It was not changed.
 */
export class UnknownMigrationsError extends Error {
  override readonly name = 'UnknownMigrationsError'
}

const maxListed = 3

const listNames = (names: readonly string[]) => {
  const more = names.length - maxListed
  return `${names.slice(0, maxListed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const assertKnown = (unknown: readonly string[], hasBaseline: boolean) => {
  if (!unknown.length) return
  throw new UnknownMigrationsError(
    hasBaseline
      ? `This database was migrated by a newer version (${listNames(unknown)}): install that version or newer`
      : `This database was created by a development version from before the first release (${listNames(unknown)}): it cannot be migrated, create a new one`,
  )
}

/** Rejects a read-only database with pending migrations. */
export const assertSchemaCurrent = async (handle: Handle): Promise<void> => {
  const { pending, unknown } = await readSchemaState(handle)
  assertKnown(unknown, !pending.includes(baseline))
  if (pending.length)
    throw new Error('The data has to be migrated, but it is read-only: make it writable for one start')
}

/**
 * Applies all pending migrations in one transaction.
 *
 * @param execute runs statements in the transaction, in the notation of `renderSql`
 * @throws UnknownMigrationsError when the database has migrations that this version does not have
 */
export async function migrate(
  transaction: RunTransaction,
  execute: (statements: string) => Promise<unknown>,
): Promise<void> {
  await transaction(async (handle) => {
    await createMigrationTable(handle)
    const applied = await readAppliedMigrations(handle)
    assertKnown(listUnknown(applied), applied.has(baseline))
    const pending = listPending(applied)
    if (!pending.length) return
    // At once: parsing the schema after each statement would take ten times as long.
    await execute(pending.map(({ sql }) => sql(handle.dialect)).join('\n'))
    const appliedAt = new Date().toISOString()
    await handle.db
      .insertInto('forgeletMigration')
      .values(pending.map(({ name }) => ({ name, appliedAt }) satisfies CompleteRow<'forgeletMigration'>))
      .execute()
  })
}
