import {
  cascadeReference,
  createTableWithId,
  defaultFalse,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
} from '../schema/columns.ts'

/** The users, groups and branches of a rule: tables of pairs. */
const links = [
  ['approval_rule_user', 'user_id', 'user'],
  ['approval_rule_group', 'group_id', 'namespace'],
  ['approval_rule_branch', 'protected_reference_id', 'protected_reference'],
] as const

/** Rules of projects and merge requests about required approvals. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'approval_rule')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('merge_request_id', 'bigint', optionalCascadeReference('merge_request'))
    .addColumn('source_rule_id', 'bigint', optionalCascadeReference('approval_rule'))
    .addColumn('name', 'text', notNull)
    .addColumn('rule_type', 'text', notNull)
    .addColumn('approvals_required', 'integer', notNull)
    .addColumn('applies_to_all_protected_branches', 'boolean', defaultFalse)
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .execute()
  const createIndex = (name: string, columns: string[]) =>
    db.schema.createIndex(`approval_rule_${name}`).on('approval_rule').columns(columns).execute()
  await createIndex('project', ['project_id', 'merge_request_id', 'id'])
  await createIndex('merge_request', ['merge_request_id', 'id'])
  await createIndex('source', ['source_rule_id'])
  for (const [table, column, target] of links) {
    await db.schema
      .createTable(table)
      .addColumn('rule_id', 'bigint', cascadeReference('approval_rule'))
      .addColumn(column, 'bigint', cascadeReference(target))
      .addPrimaryKeyConstraint(`${table}_pkey`, ['rule_id', column])
      .execute()
    await db.schema.createIndex(`${table}_target`).on(table).column(column).execute()
  }
}
