import {
  cascadeReference,
  createTableWithId,
  type MigrationDatabase,
  notNull,
  setNullReference,
} from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'merge_request_version')
    .addColumn('merge_request_id', 'bigint', cascadeReference('merge_request'))
    .addColumn('base_sha', 'text', notNull)
    .addColumn('start_sha', 'text', notNull)
    .addColumn('head_sha', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .addUniqueConstraint('merge_request_version_ends', ['merge_request_id', 'base_sha', 'head_sha'])
    .execute()
  await db.schema
    .createTable('merge_request_commit')
    .addColumn('merge_request_id', 'bigint', cascadeReference('merge_request'))
    .addColumn('sha', 'text', notNull)
    .addPrimaryKeyConstraint('merge_request_commit_pkey', ['merge_request_id', 'sha'])
    .execute()
  await db.schema.createIndex('merge_request_commit_sha').on('merge_request_commit').column('sha').execute()
  await db.schema
    .createTable('merge_request_approval')
    .addColumn('merge_request_id', 'bigint', cascadeReference('merge_request'))
    .addColumn('user_id', 'bigint', cascadeReference('user'))
    .addColumn('created_at', 'text', notNull)
    .addPrimaryKeyConstraint('merge_request_approval_pkey', ['merge_request_id', 'user_id'])
    .execute()
  await db.schema.createIndex('merge_request_approval_user').on('merge_request_approval').column('user_id').execute()
  await db.schema.alterTable('note').addColumn('type', 'text').execute()
  // No foreign key: the id is that of the discussion's first note, which may be deleted while the replies stay.
  await db.schema
    .createTable('discussion_note')
    .addColumn('note_id', 'bigint', (column) => column.primaryKey().references('note.id').onDelete('cascade'))
    .addColumn('discussion', 'bigint', notNull)
    .addColumn('resolved_at', 'text')
    .addColumn('resolved_by_id', 'bigint', setNullReference('user'))
    .addColumn('position', 'json')
    .execute()
  await db.schema.createIndex('discussion_note_discussion').on('discussion_note').column('discussion').execute()
  await db.schema.createIndex('discussion_note_resolver').on('discussion_note').column('resolved_by_id').execute()
}
