import { cascadeReference, defaultFalse, type MigrationDatabase, notNull } from '../schema/columns.ts'

/** What a merge does, and what it has done. */
export async function up(db: MigrationDatabase): Promise<void> {
  for (const name of ['squash', 'remove_source_branch'])
    await db.schema.alterTable('merge_request').addColumn(name, 'boolean', defaultFalse).execute()
  for (const name of ['merge_commit_sha', 'squash_commit_sha', 'merge_error'])
    await db.schema.alterTable('merge_request').addColumn(name, 'text').execute()
  for (const branch of ['source_branch', 'target_branch'])
    await db.schema
      .createIndex(`merge_request_${branch}`)
      .on('merge_request')
      .columns(['project_id', branch, 'state'])
      .execute()
  // Null for versions that were stored before.
  await db.schema.alterTable('merge_request_version').addColumn('changes_count', 'text').execute()
  await db.schema
    .createTable('merge_request_reviewer')
    .addColumn('merge_request_id', 'bigint', cascadeReference('merge_request'))
    .addColumn('user_id', 'bigint', cascadeReference('user'))
    .addColumn('created_at', 'text', notNull)
    .addPrimaryKeyConstraint('merge_request_reviewer_pkey', ['merge_request_id', 'user_id'])
    .execute()
  await db.schema.createIndex('merge_request_reviewer_user').on('merge_request_reviewer').column('user_id').execute()
  await db.schema
    .createTable('merge_request_check')
    .addColumn('merge_request_id', 'bigint', (column) =>
      column.primaryKey().references('merge_request.id').onDelete('cascade'),
    )
    .addColumn('source_sha', 'text')
    .addColumn('target_sha', 'text')
    .addColumn('has_conflicts', 'boolean', notNull)
    .addColumn('is_behind', 'boolean', notNull)
    .execute()
}
