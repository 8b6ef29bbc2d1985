import {
  cascadeReference,
  createTableWithId,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
} from '../schema/columns.ts'

const targets = ['issue', 'merge_request', 'epic'] as const

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'todo')
    .addColumn('user_id', 'bigint', cascadeReference('user'))
    .addColumn('author_id', 'bigint', cascadeReference('user'))
    .addColumn('project_id', 'bigint', optionalCascadeReference('project'))
    .addColumn('group_id', 'bigint', optionalCascadeReference('namespace'))
    .addColumn('issue_id', 'bigint', optionalCascadeReference('issue'))
    .addColumn('merge_request_id', 'bigint', optionalCascadeReference('merge_request'))
    .addColumn('epic_id', 'bigint', optionalCascadeReference('epic'))
    .addColumn('note_id', 'bigint', optionalCascadeReference('note'))
    .addColumn('action', 'text', notNull)
    .addColumn('state', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
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
    // At most one pending to-do per user and target.
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
