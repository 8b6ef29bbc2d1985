import {
  cascadeReference,
  createTableWithId,
  defaultFalse,
  isPostgres,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
} from '../schema/columns.ts'

/** Until now, the default branch of every project was protected, and developers could push and merge. */
const protectDefaultBranches = async (db: MigrationDatabase) => {
  await db
    .insertInto('protected_reference')
    .columns(['project_id', 'kind', 'name', 'created_at'])
    .expression(
      db
        .selectFrom('project')
        .where('empty_repo', '=', isPostgres(db) ? false : 0)
        .select((eb) => ['id', eb.val('branch').as('kind'), 'default_branch', 'created_at']),
    )
    .execute()
  for (const action of ['push', 'merge'])
    await db
      .insertInto('protected_reference_grant')
      .columns(['protected_reference_id', 'action', 'access_level'])
      .expression(
        db
          .selectFrom('protected_reference')
          .select((eb) => ['id', eb.val(action).as('action'), eb.lit(30).as('access_level')]),
      )
      .execute()
}

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
  await protectDefaultBranches(db)
}
