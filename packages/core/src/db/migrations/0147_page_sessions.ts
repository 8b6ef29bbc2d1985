import { type MigrationDatabase, notNull } from '../schema/columns.ts'

/** Sessions of the pages. */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema
    .createTable('page_session')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'text', notNull)
    .execute()
  await db.schema.createIndex('page_session_expiry').on('page_session').column('expires_at').execute()
}
