import { type MigrationDatabase, setNullReference } from '../schema/columns.ts'

/** Adds the environments of jobs in full, the jobs of deployments, and the tier and the end of environments. */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema.alterTable('pipeline_job').addColumn('environment_options', 'json').execute()
  await db.schema.alterTable('environment').addColumn('tier', 'text').execute()
  await db.schema.alterTable('environment').addColumn('auto_stop_at', 'text').execute()
  await db.schema.alterTable('deployment').addColumn('job_id', 'bigint', setNullReference('pipeline_job')).execute()
  await db.schema.createIndex('deployment_job').unique().on('deployment').column('job_id').execute()
}
