import {
  cascadeReference,
  createTableWithId,
  defaultFalse,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
  setNullReference,
} from '../schema/columns.ts'

/** The link tables of issues and merge requests, indexed in both directions. */
const link = async (db: MigrationDatabase, name: string, of: string, to: string) => {
  await db.schema
    .createTable(name)
    .addColumn(`${of}_id`, 'bigint', cascadeReference(of))
    .addColumn(`${to}_id`, 'bigint', cascadeReference(to))
    .addPrimaryKeyConstraint(`${name}_pkey`, [`${of}_id`, `${to}_id`])
    .execute()
  await db.schema
    .createIndex(`${name}_${to}`)
    .on(name)
    .columns([`${to}_id`, `${of}_id`])
    .execute()
}

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'milestone')
    .addColumn('iid', 'integer', notNull)
    .addColumn('project_id', 'bigint', optionalCascadeReference('project'))
    .addColumn('group_id', 'bigint', optionalCascadeReference('namespace'))
    .addColumn('title', 'text', notNull)
    .addColumn('description', 'text')
    .addColumn('state', 'text', notNull)
    .addColumn('start_date', 'text')
    .addColumn('due_date', 'text')
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .addUniqueConstraint('milestone_project_iid_key', ['project_id', 'iid'])
    .addUniqueConstraint('milestone_group_iid_key', ['group_id', 'iid'])
    .addUniqueConstraint('milestone_project_title_key', ['project_id', 'title'])
    .addUniqueConstraint('milestone_group_title_key', ['group_id', 'title'])
    .execute()
  await db.schema.createIndex('milestone_title').on('milestone').column('title').execute()

  await createTableWithId(db, 'issue')
    .addColumn('iid', 'integer', notNull)
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('author_id', 'bigint', cascadeReference('user'))
    .addColumn('title', 'text', notNull)
    .addColumn('description', 'text')
    .addColumn('state', 'text', notNull)
    .addColumn('confidential', 'boolean', defaultFalse)
    .addColumn('discussion_locked', 'boolean', defaultFalse)
    .addColumn('milestone_id', 'bigint', setNullReference('milestone'))
    .addColumn('due_date', 'text')
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .addColumn('closed_at', 'text')
    .addColumn('closed_by_id', 'bigint', setNullReference('user'))
    .addUniqueConstraint('issue_iid_key', ['project_id', 'iid'])
    .execute()
  await db.schema.createIndex('issue_author').on('issue').column('author_id').execute()
  await db.schema.createIndex('issue_milestone').on('issue').column('milestone_id').execute()
  await db.schema.createIndex('issue_closed_by').on('issue').column('closed_by_id').execute()
  await link(db, 'issue_assignee', 'issue', 'user')
  await link(db, 'issue_label', 'issue', 'label')

  await createTableWithId(db, 'merge_request')
    .addColumn('iid', 'integer', notNull)
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('source_project_id', 'bigint', cascadeReference('project'))
    .addColumn('author_id', 'bigint', cascadeReference('user'))
    .addColumn('title', 'text', notNull)
    .addColumn('description', 'text')
    .addColumn('state', 'text', notNull)
    .addColumn('source_branch', 'text', notNull)
    .addColumn('target_branch', 'text', notNull)
    .addColumn('discussion_locked', 'boolean', defaultFalse)
    .addColumn('milestone_id', 'bigint', setNullReference('milestone'))
    .addColumn('merge_status', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .addColumn('merged_at', 'text')
    .addColumn('merged_by_id', 'bigint', setNullReference('user'))
    .addColumn('closed_at', 'text')
    .addColumn('closed_by_id', 'bigint', setNullReference('user'))
    .addUniqueConstraint('merge_request_iid_key', ['project_id', 'iid'])
    .execute()
  await db.schema.createIndex('merge_request_source').on('merge_request').column('source_project_id').execute()
  await db.schema.createIndex('merge_request_author').on('merge_request').column('author_id').execute()
  await db.schema.createIndex('merge_request_milestone').on('merge_request').column('milestone_id').execute()
  await db.schema.createIndex('merge_request_merged_by').on('merge_request').column('merged_by_id').execute()
  await db.schema.createIndex('merge_request_closed_by').on('merge_request').column('closed_by_id').execute()
  await link(db, 'merge_request_assignee', 'merge_request', 'user')
  await link(db, 'merge_request_label', 'merge_request', 'label')

  await createTableWithId(db, 'award_emoji')
    .addColumn('user_id', 'bigint', cascadeReference('user'))
    .addColumn('name', 'text', notNull)
    .addColumn('issue_id', 'bigint', optionalCascadeReference('issue'))
    .addColumn('merge_request_id', 'bigint', optionalCascadeReference('merge_request'))
    .addColumn('created_at', 'text', notNull)
    .addUniqueConstraint('award_emoji_issue_key', ['issue_id', 'user_id', 'name'])
    .addUniqueConstraint('award_emoji_merge_request_key', ['merge_request_id', 'user_id', 'name'])
    .execute()
  await db.schema.createIndex('award_emoji_user').on('award_emoji').columns(['user_id', 'name']).execute()
}
