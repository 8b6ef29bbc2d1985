import {
  cascadeReference,
  createTableWithId,
  defaultFalse,
  type MigrationDatabase,
  notNull,
} from '../schema/columns.ts'

/** Comments on merge requests that their authors have not published. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'draft_note')
    .addColumn('merge_request_id', 'bigint', cascadeReference('merge_request'))
    .addColumn('author_id', 'bigint', cascadeReference('user'))
    .addColumn('body', 'text', notNull)
    .addColumn('discussion', 'bigint')
    .addColumn('resolve_discussion', 'boolean', defaultFalse)
    .addColumn('commit_id', 'text')
    .addColumn('position', 'json')
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .execute()
  await db.schema
    .createIndex('draft_note_merge_request')
    .on('draft_note')
    .columns(['merge_request_id', 'author_id', 'id'])
    .execute()
  await db.schema.createIndex('draft_note_author').on('draft_note').column('author_id').execute()
}
