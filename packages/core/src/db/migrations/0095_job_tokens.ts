import {
  cascadeReference,
  createTableWithId,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
} from '../schema/columns.ts'

/** Adds tokens of jobs, and the projects and groups whose job tokens a project permits. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'job_token')
    .addColumn('job_id', 'bigint', cascadeReference('pipeline_job'))
    .addColumn('digest', 'text', notNull)
    .addUniqueConstraint('job_token_job_key', ['job_id'])
    .addUniqueConstraint('job_token_digest_key', ['digest'])
    .execute()
  await createTableWithId(db, 'job_token_allowlist')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('target_project_id', 'bigint', optionalCascadeReference('project'))
    .addColumn('target_group_id', 'bigint', optionalCascadeReference('namespace'))
    .execute()
  for (const target of ['target_project_id', 'target_group_id']) {
    const index = db.schema.createIndex(`job_token_allowlist_${target}`).on('job_token_allowlist')
    await index.unique().columns(['project_id', target]).execute()
    await db.schema.createIndex(`job_token_allowlist_of_${target}`).on('job_token_allowlist').column(target).execute()
  }
}
