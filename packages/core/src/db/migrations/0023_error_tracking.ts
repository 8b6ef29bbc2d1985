import { defaultFalse, type MigrationDatabase, notNull } from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema
    .createTable('error_tracking_setting')
    .addColumn('project_id', 'bigint', (column) => column.primaryKey().references('project.id').onDelete('cascade'))
    .addColumn('active', 'boolean', defaultFalse)
    .addColumn('project_name', 'text', notNull)
    .addColumn('tracker_external_url', 'text', notNull)
    .addColumn('api_url', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .execute()
}
