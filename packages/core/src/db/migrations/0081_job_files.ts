import { cascadeReference, createTableWithId, type MigrationDatabase, notNull } from '../schema/columns.ts'

/** Logs and artifacts of jobs. */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema
    .createTable('job_trace')
    .addColumn('job_id', 'bigint', (column) =>
      column.primaryKey().notNull().references('pipeline_job.id').onDelete('cascade'),
    )
    .addColumn('content', 'text', notNull)
    .execute()
  await createTableWithId(db, 'job_artifact')
    .addColumn('job_id', 'bigint', cascadeReference('pipeline_job'))
    .addColumn('file_name', 'text', notNull)
    .addColumn('size', 'bigint', notNull)
    .addColumn('storage_key', 'text', notNull)
    .addColumn('sha256', 'text', notNull)
    .addColumn('expires_at', 'text')
    .addColumn('created_at', 'text', notNull)
    .execute()
  await db.schema.createIndex('job_artifact_job').unique().on('job_artifact').column('job_id').execute()
  await db.schema.createIndex('job_artifact_storage_key').on('job_artifact').column('storage_key').execute()
}
