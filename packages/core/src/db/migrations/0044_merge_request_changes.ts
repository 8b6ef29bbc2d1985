import { loose, owned, required, type Schema, table } from '../columns.ts'

export async function up(db: Schema): Promise<void> {
  await table(db, 'merge_request_version')
    .addColumn('merge_request_id', 'bigint', owned('merge_request'))
    .addColumn('base_sha', 'text', required)
    .addColumn('start_sha', 'text', required)
    .addColumn('head_sha', 'text', required)
    .addColumn('created_at', 'text', required)
    .addUniqueConstraint('merge_request_version_ends', ['merge_request_id', 'base_sha', 'head_sha'])
    .execute()
  await db.schema
    .createTable('merge_request_commit')
    .addColumn('merge_request_id', 'bigint', owned('merge_request'))
    .addColumn('sha', 'text', required)
    .addPrimaryKeyConstraint('merge_request_commit_pkey', ['merge_request_id', 'sha'])
    .execute()
  await db.schema.createIndex('merge_request_commit_sha').on('merge_request_commit').column('sha').execute()
  await db.schema
    .createTable('merge_request_approval')
    .addColumn('merge_request_id', 'bigint', owned('merge_request'))
    .addColumn('user_id', 'bigint', owned('user'))
    .addColumn('created_at', 'text', required)
    .addPrimaryKeyConstraint('merge_request_approval_pkey', ['merge_request_id', 'user_id'])
    .execute()
  await db.schema.createIndex('merge_request_approval_user').on('merge_request_approval').column('user_id').execute()
  await db.schema.alterTable('note').addColumn('type', 'text').execute()
  // A discussion is named by its first note, which may be gone while the answers to it stay: no reference.
  await db.schema
    .createTable('discussion_note')
    .addColumn('note_id', 'bigint', (column) => column.primaryKey().references('note.id').onDelete('cascade'))
    .addColumn('discussion', 'bigint', required)
    .addColumn('resolved_at', 'text')
    .addColumn('resolved_by_id', 'bigint', loose('user'))
    .addColumn('position', 'json')
    .execute()
  await db.schema.createIndex('discussion_note_discussion').on('discussion_note').column('discussion').execute()
  await db.schema.createIndex('discussion_note_resolver').on('discussion_note').column('resolved_by_id').execute()
}
