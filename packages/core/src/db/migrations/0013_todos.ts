import { owned, ownedIfAny, required, type Schema, table } from '../columns.ts'

const targets = ['issue', 'merge_request', 'epic'] as const

export async function up(db: Schema): Promise<void> {
  await table(db, 'todo')
    .addColumn('user_id', 'bigint', owned('user'))
    .addColumn('author_id', 'bigint', owned('user'))
    .addColumn('project_id', 'bigint', ownedIfAny('project'))
    .addColumn('group_id', 'bigint', ownedIfAny('namespace'))
    .addColumn('issue_id', 'bigint', ownedIfAny('issue'))
    .addColumn('merge_request_id', 'bigint', ownedIfAny('merge_request'))
    .addColumn('epic_id', 'bigint', ownedIfAny('epic'))
    .addColumn('note_id', 'bigint', ownedIfAny('note'))
    .addColumn('action', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .execute()
  await db.schema.createIndex('todo_list').on('todo').columns(['user_id', 'state', 'id']).execute()
  await db.schema.createIndex('todo_author').on('todo').column('author_id').execute()
  for (const column of ['project_id', 'group_id', 'note_id']) {
    await db.schema.createIndex(`todo_${column}`).on('todo').column(column).where(column, 'is not', null).execute()
  }
  for (const target of targets) {
    const column = `${target}_id`
    await db.schema
      .createIndex(`todo_${target}`)
      .on('todo')
      .columns([column, 'user_id'])
      .where(column, 'is not', null)
      .execute()
    // One thing asks one person once, until they are done with it.
    await db.schema
      .createIndex(`todo_pending_${target}`)
      .unique()
      .on('todo')
      .columns([column, 'user_id'])
      .where('state', '=', 'pending')
      .where(column, 'is not', null)
      .execute()
  }
}
