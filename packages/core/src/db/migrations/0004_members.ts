import {
  cascadeReference,
  createTableWithId,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
} from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'member')
    .addColumn('project_id', 'bigint', optionalCascadeReference('project'))
    .addColumn('group_id', 'bigint', optionalCascadeReference('namespace'))
    .addColumn('user_id', 'bigint', cascadeReference('user'))
    .addColumn('access_level', 'integer', notNull)
    .addColumn('expires_at', 'text')
    .addColumn('created_at', 'text', notNull)
    .addUniqueConstraint('member_project_key', ['user_id', 'project_id'])
    .addUniqueConstraint('member_group_key', ['user_id', 'group_id'])
    .execute()
  await db.schema.createIndex('member_project').on('member').columns(['project_id', 'id']).execute()
  await db.schema.createIndex('member_group').on('member').columns(['group_id', 'id']).execute()
  await db.schema.createIndex('member_expiry').on('member').column('expires_at').execute()

  await createTableWithId(db, 'share')
    .addColumn('project_id', 'bigint', optionalCascadeReference('project'))
    .addColumn('group_id', 'bigint', optionalCascadeReference('namespace'))
    .addColumn('with_group_id', 'bigint', cascadeReference('namespace'))
    .addColumn('access_level', 'integer', notNull)
    .addColumn('expires_at', 'text')
    .addColumn('created_at', 'text', notNull)
    .addUniqueConstraint('share_project_key', ['project_id', 'with_group_id'])
    .addUniqueConstraint('share_group_key', ['group_id', 'with_group_id'])
    .execute()
  await db.schema.createIndex('share_with_group').on('share').column('with_group_id').execute()
}
