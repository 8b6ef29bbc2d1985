import type { MigrationDatabase } from '../schema/columns.ts'

/** When delayed jobs start, and artifacts expire. */
export async function up(db: MigrationDatabase): Promise<void> {
  for (const column of ['start_in', 'scheduled_at', 'artifacts_expire_in'])
    await db.schema.alterTable('pipeline_job').addColumn(column, 'text').execute()
  await db.schema.createIndex('job_artifact_expires').on('job_artifact').columns(['expires_at', 'id']).execute()
}
