import { createTableWithId, type MigrationDatabase, notNull } from '../schema/columns.ts'

/** Domain events that processes on one database pass to each other, and the positions up to which consumers received them. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'signal_outbox')
    .addColumn('name', 'text', notNull)
    .addColumn('payload', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .execute()
  await db.schema
    .createTable('signal_consumer')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('position', 'bigint', notNull)
    .addColumn('updated_at', 'text', notNull)
    .execute()
}
