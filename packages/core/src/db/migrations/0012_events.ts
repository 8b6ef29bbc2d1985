import {
  cascadeReference,
  createTableWithId,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
} from '../schema/columns.ts'

const things = ['issue', 'merge_request', 'milestone', 'snippet', 'note'] as const

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'event')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('author_id', 'bigint', cascadeReference('user'))
    .addColumn('action', 'text', notNull)
    .addColumn('target_kind', 'text')
    .addColumn('issue_id', 'bigint', optionalCascadeReference('issue'))
    .addColumn('merge_request_id', 'bigint', optionalCascadeReference('merge_request'))
    .addColumn('milestone_id', 'bigint', optionalCascadeReference('milestone'))
    .addColumn('snippet_id', 'bigint', optionalCascadeReference('snippet'))
    .addColumn('note_id', 'bigint', optionalCascadeReference('note'))
    .addColumn('push', 'json')
    .addColumn('created_at', 'text', notNull)
    .execute()
  await db.schema.createIndex('event_project').on('event').columns(['project_id', 'id']).execute()
  await db.schema.createIndex('event_author').on('event').columns(['author_id', 'id']).execute()
  await db.schema.createIndex('event_created_at').on('event').column('created_at').execute()
  // Deleting the target deletes its events; partial indexes, since most events have only one of these columns.
  for (const thing of things) {
    const column = `${thing}_id`
    await db.schema.createIndex(`event_${thing}`).on('event').column(column).where(column, 'is not', null).execute()
  }
}
