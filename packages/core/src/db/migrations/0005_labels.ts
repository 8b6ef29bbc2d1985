import { owned, ownedIfAny, required, type Schema, table } from '../columns.ts'

export async function up(db: Schema): Promise<void> {
  await table(db, 'label')
    .addColumn('project_id', 'bigint', ownedIfAny('project'))
    .addColumn('group_id', 'bigint', ownedIfAny('namespace'))
    .addColumn('name', 'text', required)
    .addColumn('color', 'text', required)
    .addColumn('description', 'text')
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addUniqueConstraint('label_project_name_key', ['project_id', 'name'])
    .addUniqueConstraint('label_group_name_key', ['group_id', 'name'])
    .execute()

  await db.schema
    .createTable('label_priority')
    .addColumn('label_id', 'bigint', owned('label'))
    .addColumn('project_id', 'bigint', owned('project'))
    .addColumn('priority', 'integer', required)
    .addPrimaryKeyConstraint('label_priority_pkey', ['label_id', 'project_id'])
    .execute()
  await db.schema.createIndex('label_priority_project').on('label_priority').column('project_id').execute()

  await db.schema
    .createTable('label_subscription')
    .addColumn('label_id', 'bigint', owned('label'))
    .addColumn('project_id', 'bigint', owned('project'))
    .addColumn('user_id', 'bigint', owned('user'))
    .addPrimaryKeyConstraint('label_subscription_pkey', ['label_id', 'project_id', 'user_id'])
    .execute()
  await db.schema.createIndex('label_subscription_project').on('label_subscription').column('project_id').execute()
  await db.schema.createIndex('label_subscription_user').on('label_subscription').column('user_id').execute()
}
