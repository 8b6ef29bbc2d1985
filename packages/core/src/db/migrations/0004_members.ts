import { owned, ownedIfAny, required, type Schema, table } from '../columns.ts'

export async function up(db: Schema): Promise<void> {
  await table(db, 'member')
    .addColumn('project_id', 'bigint', ownedIfAny('project'))
    .addColumn('group_id', 'bigint', ownedIfAny('namespace'))
    .addColumn('user_id', 'bigint', owned('user'))
    .addColumn('access_level', 'integer', required)
    .addColumn('expires_at', 'text')
    .addColumn('created_at', 'text', required)
    .addUniqueConstraint('member_project_key', ['user_id', 'project_id'])
    .addUniqueConstraint('member_group_key', ['user_id', 'group_id'])
    .execute()
  await db.schema.createIndex('member_project').on('member').columns(['project_id', 'id']).execute()
  await db.schema.createIndex('member_group').on('member').columns(['group_id', 'id']).execute()
  await db.schema.createIndex('member_expiry').on('member').column('expires_at').execute()

  await table(db, 'share')
    .addColumn('project_id', 'bigint', ownedIfAny('project'))
    .addColumn('group_id', 'bigint', ownedIfAny('namespace'))
    .addColumn('with_group_id', 'bigint', owned('namespace'))
    .addColumn('access_level', 'integer', required)
    .addColumn('expires_at', 'text')
    .addColumn('created_at', 'text', required)
    .addUniqueConstraint('share_project_key', ['project_id', 'with_group_id'])
    .addUniqueConstraint('share_group_key', ['group_id', 'with_group_id'])
    .execute()
  await db.schema.createIndex('share_with_group').on('share').column('with_group_id').execute()
}
