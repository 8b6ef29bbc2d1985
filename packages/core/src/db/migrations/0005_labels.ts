import {
  cascadeReference,
  createTableWithId,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
} from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'label')
    .addColumn('project_id', 'bigint', optionalCascadeReference('project'))
    .addColumn('group_id', 'bigint', optionalCascadeReference('namespace'))
    .addColumn('name', 'text', notNull)
    .addColumn('color', 'text', notNull)
    .addColumn('description', 'text')
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .addUniqueConstraint('label_project_name_key', ['project_id', 'name'])
    .addUniqueConstraint('label_group_name_key', ['group_id', 'name'])
    .execute()

  await db.schema
    .createTable('label_priority')
    .addColumn('label_id', 'bigint', cascadeReference('label'))
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('priority', 'integer', notNull)
    .addPrimaryKeyConstraint('label_priority_pkey', ['label_id', 'project_id'])
    .execute()
  await db.schema.createIndex('label_priority_project').on('label_priority').column('project_id').execute()

  await db.schema
    .createTable('label_subscription')
    .addColumn('label_id', 'bigint', cascadeReference('label'))
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('user_id', 'bigint', cascadeReference('user'))
    .addPrimaryKeyConstraint('label_subscription_pkey', ['label_id', 'project_id', 'user_id'])
    .execute()
  await db.schema.createIndex('label_subscription_project').on('label_subscription').column('project_id').execute()
  await db.schema.createIndex('label_subscription_user').on('label_subscription').column('user_id').execute()
}
