import { type MigrationDatabase, setNullReference } from '../schema/columns.ts'

/** Pipelines that jobs of other pipelines start. */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema.alterTable('pipeline_job').addColumn('trigger', 'json').execute()
  await db.schema
    .alterTable('pipeline')
    .addColumn('upstream_job_id', 'bigint', setNullReference('pipeline_job'))
    .execute()
  await db.schema.alterTable('pipeline').addColumn('root_pipeline_id', 'bigint').execute()
  await db.schema.createIndex('pipeline_upstream_job').on('pipeline').column('upstream_job_id').execute()
  await db.schema.createIndex('pipeline_root_pipeline').on('pipeline').column('root_pipeline_id').execute()
}
