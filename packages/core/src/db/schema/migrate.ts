import type { Handle } from '../../kernel/store.ts'
import type { StoreState } from '../../kernel/store-state.ts'
import type { CompleteRow } from '../complete-row.ts'
import { migrations } from '../migrations/migrations.ts'

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
export async function readSchemaState(handle: Handle): Promise<Pick<StoreState, 'applied' | 'pending' | 'newer'>> {
  const applied = await readAppliedMigrations(handle).catch((error: unknown) => {
    if (isMissingTableError(error)) return new Set<string>()
    throw error
  })
  const names = migrations.map(({ name }) => name)
  return {
    applied: applied.size,
    pending: names.filter((name) => !applied.has(name)),
    newer: [...applied].filter((name) => !names.includes(name)),
  }
}

/** A database without migrations has no migration table. */
const isMissingTableError = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as { code?: unknown }).code === '42P01' || error.message.startsWith('no such table'))

/** The database has migrations of a newer version of this package. The database was not changed. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError'
}

const assertNotNewer = (newer: readonly string[]) => {
  if (!newer.length) return
  throw new NewerSchemaError(
    `This database was migrated by a newer version (${newer.join(', ')}): install that version or newer`,
  )
}

/** Rejects a read-only database with pending migrations. */
export const assertSchemaCurrent = async (handle: Handle): Promise<void> => {
  const { pending, newer } = await readSchemaState(handle)
  assertNotNewer(newer)
  if (pending.length)
    throw new Error('The data has to be migrated, but it is read-only: make it writable for one start')
}

/**
 * Applies all pending migrations in one transaction.
 *
 * @param createSchema creates what the migrations create, in a database without a migration
 * @throws NewerSchemaError when the database has migrations of a newer version
 */
export async function migrate(transaction: RunTransaction, createSchema?: () => void): Promise<void> {
  await transaction(async (handle) => {
    await createMigrationTable(handle)
    const applied = await readAppliedMigrations(handle)
    const names = migrations.map(({ name }) => name)
    assertNotNewer([...applied].filter((name) => !names.includes(name)))
    const pending = migrations.filter(({ name }) => !applied.has(name))
    if (!pending.length) return
    if (createSchema && !applied.size) createSchema()
    else for (const { up } of pending) await up(handle.db)
    const appliedAt = new Date().toISOString()
    await handle.db
      .insertInto('forgeletMigration')
      .values(pending.map(({ name }) => ({ name, appliedAt }) satisfies CompleteRow<'forgeletMigration'>))
      .execute()
  })
}
