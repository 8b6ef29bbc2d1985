import {
  cascadeReference,
  createTableWithId,
  defaultFalse,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
  setNullReference,
} from '../schema/columns.ts'

/** Adds issue boards with their lists, and messages to all users. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'board')
    .addColumn('project_id', 'bigint', optionalCascadeReference('project'))
    .addColumn('group_id', 'bigint', optionalCascadeReference('namespace'))
    .addColumn('name', 'text', notNull)
    .addColumn('hide_backlog_list', 'boolean', defaultFalse)
    .addColumn('hide_closed_list', 'boolean', defaultFalse)
    .addColumn('milestone_id', 'bigint', setNullReference('milestone'))
    .addColumn('assignee_id', 'bigint', setNullReference('user'))
    .addColumn('weight', 'integer')
    .addColumn('created_at', 'text', notNull)
    .execute()
  await db.schema.createIndex('board_project').on('board').columns(['project_id', 'id']).execute()
  await db.schema.createIndex('board_group').on('board').columns(['group_id', 'id']).execute()
  await db.schema.createIndex('board_milestone').on('board').column('milestone_id').execute()
  await db.schema.createIndex('board_assignee').on('board').column('assignee_id').execute()

  await db.schema
    .createTable('board_label')
    .addColumn('board_id', 'bigint', cascadeReference('board'))
    .addColumn('label_id', 'bigint', cascadeReference('label'))
    .addPrimaryKeyConstraint('board_label_key', ['board_id', 'label_id'])
    .execute()
  await db.schema.createIndex('board_label_label').on('board_label').column('label_id').execute()

  await createTableWithId(db, 'board_list')
    .addColumn('board_id', 'bigint', cascadeReference('board'))
    .addColumn('label_id', 'bigint', optionalCascadeReference('label'))
    .addColumn('milestone_id', 'bigint', optionalCascadeReference('milestone'))
    .addColumn('assignee_id', 'bigint', optionalCascadeReference('user'))
    .addColumn('position', 'integer', notNull)
    .execute()
  await db.schema.createIndex('board_list_board').on('board_list').columns(['board_id', 'position', 'id']).execute()
  for (const column of ['label_id', 'milestone_id', 'assignee_id'])
    await db.schema
      .createIndex(`board_list_${column.slice(0, -3)}`)
      .on('board_list')
      .column(column)
      .execute()

  await createTableWithId(db, 'broadcast_message')
    .addColumn('message', 'text', notNull)
    .addColumn('starts_at', 'text', notNull)
    .addColumn('ends_at', 'text', notNull)
    .addColumn('broadcast_type', 'text', notNull)
    .addColumn('theme', 'text', notNull)
    .addColumn('dismissable', 'boolean', defaultFalse)
    .addColumn('target_path', 'text')
    .addColumn('target_access_levels', 'json', notNull)
    .addColumn('created_at', 'text', notNull)
    .execute()
}
