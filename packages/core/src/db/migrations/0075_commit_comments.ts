import { cascadeReference, createTableWithId, type MigrationDatabase, notNull } from '../schema/columns.ts'

/** Adds comments on commits. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'commit_comment')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('sha', 'text', notNull)
    .addColumn('author_id', 'bigint', cascadeReference('user'))
    .addColumn('note', 'text', notNull)
    .addColumn('path', 'text')
    .addColumn('line', 'bigint')
    .addColumn('line_type', 'text')
    .addColumn('created_at', 'text', notNull)
    .execute()
  await db.schema
    .createIndex('commit_comment_project_sha')
    .on('commit_comment')
    .columns(['project_id', 'sha', 'id'])
    .execute()
  await db.schema.createIndex('commit_comment_author').on('commit_comment').column('author_id').execute()
}
