import { defaultFalse, type MigrationDatabase } from '../schema/columns.ts'

/** Pipelines that pushes create. */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema.alterTable('pipeline').addColumn('creation_key', 'text').execute()
  await db.schema.createIndex('pipeline_creation_key').unique().on('pipeline').column('creation_key').execute()
  await db.schema.alterTable('pipeline').addColumn('on_new_commit', 'text').execute()
  await db.schema.alterTable('pipeline_job').addColumn('interruptible', 'boolean', defaultFalse).execute()
  await db.schema.alterTable('reference_change').addColumn('push_options', 'json').execute()
}
