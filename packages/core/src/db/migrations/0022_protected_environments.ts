import {
  cascadeReference,
  createTableWithId,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
} from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'protected_environment')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('name', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .addUniqueConstraint('protected_environment_project_name_key', ['project_id', 'name'])
    .execute()

  await createTableWithId(db, 'deploy_access_level')
    .addColumn('protected_environment_id', 'bigint', cascadeReference('protected_environment'))
    .addColumn('access_level', 'integer')
    .addColumn('user_id', 'bigint', optionalCascadeReference('user'))
    .addColumn('group_id', 'bigint', optionalCascadeReference('namespace'))
    .execute()
  for (const column of ['protected_environment_id', 'user_id', 'group_id']) {
    await db.schema.createIndex(`deploy_access_level_${column}`).on('deploy_access_level').column(column).execute()
  }
}
