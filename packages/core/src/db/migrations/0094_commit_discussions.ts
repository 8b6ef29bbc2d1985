import { sql } from 'kysely'
import type { MigrationDatabase } from '../schema/columns.ts'

/** Comments on commits form discussions. */
export async function up(db: MigrationDatabase): Promise<void> {
  const table = 'commit_comment'
  await db.schema.alterTable(table).addColumn('discussion', 'bigint').execute()
  await db.schema.alterTable(table).addColumn('position', 'json').execute()
  await db.schema
    .alterTable(table)
    .addColumn('updated_at', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db
    .updateTable(table)
    .set({ updated_at: sql.ref('created_at') })
    .execute()
}
