import { isPostgres, type MigrationDatabase } from '../schema/columns.ts'

/** Tables with an internal id. */
const numbered = ['milestone', 'issue', 'merge_request', 'epic'] as const

/**
 * Widens internal ids to `bigint`. PostgreSQL fails when an `integer` column is compared with a larger number, instead of
 * finding no row. SQLite has only one integer type.
 */
export async function up(db: MigrationDatabase): Promise<void> {
  if (!isPostgres(db)) return
  for (const table of numbered) {
    await db.schema
      .alterTable(table)
      .alterColumn('iid', (column) => column.setDataType('bigint'))
      .execute()
  }
}
