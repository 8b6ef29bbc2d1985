import { defaultFalse, type MigrationDatabase } from '../schema/columns.ts'

/** Merges that wait for a pipeline. */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema
    .alterTable('merge_request')
    .addColumn('merge_when_pipeline_succeeds', 'boolean', defaultFalse)
    .execute()
  await db.schema.alterTable('merge_request').addColumn('auto_merge', 'json').execute()
}
