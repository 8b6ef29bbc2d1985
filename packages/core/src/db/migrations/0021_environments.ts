import {
  cascadeReference,
  createTableWithId,
  type MigrationDatabase,
  notNull,
  setNullReference,
} from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'environment')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('name', 'text', notNull)
    .addColumn('slug', 'text', notNull)
    .addColumn('external_url', 'text')
    .addColumn('state', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .addUniqueConstraint('environment_project_name_key', ['project_id', 'name'])
    .addUniqueConstraint('environment_project_slug_key', ['project_id', 'slug'])
    .execute()

  await createTableWithId(db, 'deployment')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('iid', 'integer', notNull)
    .addColumn('environment_id', 'bigint', cascadeReference('environment'))
    .addColumn('user_id', 'bigint', setNullReference('user'))
    .addColumn('ref', 'text', notNull)
    .addColumn('sha', 'text', notNull)
    .addColumn('status', 'text', notNull)
    .addColumn('job', 'json')
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .addUniqueConstraint('deployment_project_iid_key', ['project_id', 'iid'])
    .execute()
  await db.schema
    .createIndex('deployment_environment')
    .on('deployment')
    .columns(['environment_id', 'status', 'id'])
    .execute()
  await db.schema.createIndex('deployment_user').on('deployment').column('user_id').execute()
}
