import {
  createTableWithId,
  defaultFalse,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
} from '../schema/columns.ts'

const patterns = [
  'commit_message_regex',
  'commit_message_negative_regex',
  'branch_name_regex',
  'author_email_regex',
  'file_name_regex',
]

const flags = [
  'deny_delete_tag',
  'member_check',
  'prevent_secrets',
  'commit_committer_check',
  'commit_committer_name_check',
  'reject_unsigned_commits',
  'reject_non_dco_commits',
]

/** Adds push rules of projects and groups. */
export async function up(db: MigrationDatabase): Promise<void> {
  let table = createTableWithId(db, 'push_rule')
    .addColumn('project_id', 'bigint', optionalCascadeReference('project'))
    .addColumn('group_id', 'bigint', optionalCascadeReference('namespace'))
    .addColumn('max_file_size', 'integer', notNull)
    .addColumn('created_at', 'text', notNull)
    .addUniqueConstraint('push_rule_project_key', ['project_id'])
    .addUniqueConstraint('push_rule_group_key', ['group_id'])
  for (const name of patterns) table = table.addColumn(name, 'text', notNull)
  for (const name of flags) table = table.addColumn(name, 'boolean', defaultFalse)
  await table.execute()
}
