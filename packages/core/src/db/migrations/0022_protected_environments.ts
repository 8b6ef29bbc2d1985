import { owned, ownedIfAny, required, type Schema, table } from '../columns.ts'

export async function up(db: Schema): Promise<void> {
  await table(db, 'protected_environment')
    .addColumn('project_id', 'bigint', owned('project'))
    .addColumn('name', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addUniqueConstraint('protected_environment_project_name_key', ['project_id', 'name'])
    .execute()

  await table(db, 'deploy_access_level')
    .addColumn('protected_environment_id', 'bigint', owned('protected_environment'))
    .addColumn('access_level', 'integer')
    .addColumn('user_id', 'bigint', ownedIfAny('user'))
    .addColumn('group_id', 'bigint', ownedIfAny('namespace'))
    .execute()
  for (const column of ['protected_environment_id', 'user_id', 'group_id']) {
    await db.schema.createIndex(`deploy_access_level_${column}`).on('deploy_access_level').column(column).execute()
  }
}
