import { required, type Schema } from '../columns.ts'

export async function up(db: Schema): Promise<void> {
  await db.schema
    .createTable('application_setting')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', required)
    .addColumn('updated_at', 'text', required)
    .execute()
  await db.schema
    .createTable('application_secret')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('sealed', 'text', required)
    .addColumn('updated_at', 'text', required)
    .execute()
}
