import { type MigrationDatabase, notNull } from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema
    .createTable('application_setting')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .execute()
  await db.schema
    .createTable('application_secret')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('sealed', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .execute()
}
