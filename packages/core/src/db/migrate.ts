import type { Handle } from '../kernel/store.ts'
import type { StoreState } from '../kernel/vitals.ts'
import { migrations } from './migrations/migrations.ts'

type Transaction = <T>(work: (handle: Handle) => Promise<T>) => Promise<T>

const createLedger = (handle: Handle) =>
  handle.db.schema
    .createTable('forgelet_migration')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('applied_at', 'text', (column) => column.notNull())
    .execute()

const applied = async (handle: Handle): Promise<ReadonlySet<string>> => {
  const rows = await handle.db.selectFrom('forgeletMigration').select('name').execute()
  return new Set(rows.map(({ name }) => name))
}

/** Names of what has run and of what has not, without changing anything. */
export async function schemaState(handle: Handle): Promise<Pick<StoreState, 'applied' | 'pending' | 'newer'>> {
  const known = await applied(handle).catch((error: unknown) => {
    if (lacksLedger(error)) return new Set<string>()
    throw error
  })
  const names = migrations.map(({ name }) => name)
  return {
    applied: known.size,
    pending: names.filter((name) => !known.has(name)),
    newer: [...known].filter((name) => !names.includes(name)),
  }
}

/** A database on which nothing has run yet has no ledger. */
const lacksLedger = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as { code?: unknown }).code === '42P01' || error.message.startsWith('no such table'))

/** The database was migrated by a newer version of this package; nothing was changed. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema'
}

/**
 * Applies what is missing, all in one transaction.
 *
 * @throws NewerSchema when a newer version has already migrated the database
 */
export async function migrate(transaction: Transaction): Promise<void> {
  await transaction(async (handle) => {
    await createLedger(handle)
    const known = await applied(handle)
    const names = migrations.map(({ name }) => name)
    const unknown = [...known].filter((name) => !names.includes(name))
    if (unknown.length) {
      throw new NewerSchema(
        `This database was migrated by a newer version (${unknown.join(', ')}): install that version or newer`,
      )
    }
    for (const { name, up } of migrations) {
      if (known.has(name)) continue
      await up(handle.db)
      await handle.db.insertInto('forgeletMigration').values({ name, appliedAt: new Date().toISOString() }).execute()
    }
  })
}
