import { no, required, type Schema } from '../columns.ts'

export async function up(db: Schema): Promise<void> {
  await db.schema
    .createTable('error_tracking_setting')
    .addColumn('project_id', 'bigint', (column) => column.primaryKey().references('project.id').onDelete('cascade'))
    .addColumn('active', 'boolean', no)
    .addColumn('project_name', 'text', required)
    .addColumn('tracker_external_url', 'text', required)
    .addColumn('api_url', 'text', required)
    .addColumn('updated_at', 'text', required)
    .execute()
}
