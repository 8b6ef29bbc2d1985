import { owned, ownedIfAny, required, type Schema, table } from '../columns.ts'

export async function up(db: Schema): Promise<void> {
  await db.schema.alterTable('member').addColumn('synced_level', 'integer').execute()
  await db.schema.alterTable('member').addColumn('overridden_at', 'text').execute()
  await db.schema.alterTable('member').addColumn('updated_at', 'text').execute()

  await table(db, 'access_request')
    .addColumn('project_id', 'bigint', ownedIfAny('project'))
    .addColumn('group_id', 'bigint', ownedIfAny('namespace'))
    .addColumn('user_id', 'bigint', owned('user'))
    .addColumn('created_at', 'text', required)
    .addUniqueConstraint('access_request_project_key', ['project_id', 'user_id'])
    .addUniqueConstraint('access_request_group_key', ['group_id', 'user_id'])
    .execute()
  await db.schema.createIndex('access_request_user').on('access_request').column('user_id').execute()

  await table(db, 'custom_attribute')
    .addColumn('user_id', 'bigint', ownedIfAny('user'))
    .addColumn('group_id', 'bigint', ownedIfAny('namespace'))
    .addColumn('project_id', 'bigint', ownedIfAny('project'))
    .addColumn('key', 'text', required)
    .addColumn('value', 'text', required)
    .addUniqueConstraint('custom_attribute_user_key', ['user_id', 'key'])
    .addUniqueConstraint('custom_attribute_group_key', ['group_id', 'key'])
    .addUniqueConstraint('custom_attribute_project_key', ['project_id', 'key'])
    .execute()
}
