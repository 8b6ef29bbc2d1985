import {
  cascadeReference,
  createTableWithId,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
} from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema.alterTable('member').addColumn('synced_level', 'integer').execute()
  await db.schema.alterTable('member').addColumn('overridden_at', 'text').execute()
  await db.schema.alterTable('member').addColumn('updated_at', 'text').execute()

  await createTableWithId(db, 'access_request')
    .addColumn('project_id', 'bigint', optionalCascadeReference('project'))
    .addColumn('group_id', 'bigint', optionalCascadeReference('namespace'))
    .addColumn('user_id', 'bigint', cascadeReference('user'))
    .addColumn('created_at', 'text', notNull)
    .addUniqueConstraint('access_request_project_key', ['project_id', 'user_id'])
    .addUniqueConstraint('access_request_group_key', ['group_id', 'user_id'])
    .execute()
  await db.schema.createIndex('access_request_user').on('access_request').column('user_id').execute()

  await createTableWithId(db, 'custom_attribute')
    .addColumn('user_id', 'bigint', optionalCascadeReference('user'))
    .addColumn('group_id', 'bigint', optionalCascadeReference('namespace'))
    .addColumn('project_id', 'bigint', optionalCascadeReference('project'))
    .addColumn('key', 'text', notNull)
    .addColumn('value', 'text', notNull)
    .addUniqueConstraint('custom_attribute_user_key', ['user_id', 'key'])
    .addUniqueConstraint('custom_attribute_group_key', ['group_id', 'key'])
    .addUniqueConstraint('custom_attribute_project_key', ['project_id', 'key'])
    .execute()
}
