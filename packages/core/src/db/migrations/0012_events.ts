import { owned, ownedIfAny, required, type Schema, table } from '../columns.ts'

const things = ['issue', 'merge_request', 'milestone', 'snippet', 'note'] as const

export async function up(db: Schema): Promise<void> {
  await table(db, 'event')
    .addColumn('project_id', 'bigint', owned('project'))
    .addColumn('author_id', 'bigint', owned('user'))
    .addColumn('action', 'text', required)
    .addColumn('target_kind', 'text')
    .addColumn('issue_id', 'bigint', ownedIfAny('issue'))
    .addColumn('merge_request_id', 'bigint', ownedIfAny('merge_request'))
    .addColumn('milestone_id', 'bigint', ownedIfAny('milestone'))
    .addColumn('snippet_id', 'bigint', ownedIfAny('snippet'))
    .addColumn('note_id', 'bigint', ownedIfAny('note'))
    .addColumn('push', 'json')
    .addColumn('created_at', 'text', required)
    .execute()
  await db.schema.createIndex('event_project').on('event').columns(['project_id', 'id']).execute()
  await db.schema.createIndex('event_author').on('event').columns(['author_id', 'id']).execute()
  await db.schema.createIndex('event_created_at').on('event').column('created_at').execute()
  // What goes takes its events along; most events have only one of these.
  for (const thing of things) {
    const column = `${thing}_id`
    await db.schema.createIndex(`event_${thing}`).on('event').column(column).where(column, 'is not', null).execute()
  }
}
