import { sql } from 'kysely'
import {
  cascadeReference,
  createTableWithId,
  defaultFalse,
  isPostgres,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
} from '../columns.ts'

/** Stored times are ISO 8601 in UTC with milliseconds. */
const copyRules = (db: MigrationDatabase) =>
  sql`insert into protected_reference (project_id, kind, name, allow_force_push, code_owner_approval_required, created_at)
    select id, 'branch', default_branch, ${isPostgres(db) ? sql`false` : 0}, ${isPostgres(db) ? sql`false` : 0}, created_at
    from project where not empty_repo`.execute(db)

/** Until now, the default branch of every project was protected, and developers could push and merge. */
const copyGrants = (db: MigrationDatabase, action: string) =>
  sql`insert into protected_reference_grant (protected_reference_id, action, access_level)
    select id, ${action}, 30 from protected_reference`.execute(db)

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'protected_reference')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('kind', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('allow_force_push', 'boolean', defaultFalse)
    .addColumn('code_owner_approval_required', 'boolean', defaultFalse)
    .addColumn('created_at', 'text', notNull)
    .execute()
  await db.schema
    .createIndex('protected_reference_name')
    .unique()
    .on('protected_reference')
    .columns(['project_id', 'kind', 'name'])
    .execute()
  await createTableWithId(db, 'protected_reference_grant')
    .addColumn('protected_reference_id', 'bigint', cascadeReference('protected_reference'))
    .addColumn('action', 'text', notNull)
    .addColumn('access_level', 'integer')
    .addColumn('user_id', 'bigint', optionalCascadeReference('user'))
    .addColumn('group_id', 'bigint', optionalCascadeReference('namespace'))
    .execute()
  for (const column of ['protected_reference_id', 'user_id', 'group_id'])
    await db.schema
      .createIndex(`protected_reference_grant_${column}`)
      .on('protected_reference_grant')
      .column(column)
      .execute()
  await copyRules(db)
  await copyGrants(db, 'push')
  await copyGrants(db, 'merge')
}
