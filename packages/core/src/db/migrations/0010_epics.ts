import {
  cascadeReference,
  createTableWithId,
  defaultFalse,
  type MigrationDatabase,
  notNull,
  setNullReference,
} from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'epic')
    .addColumn('iid', 'integer', notNull)
    .addColumn('group_id', 'bigint', cascadeReference('namespace'))
    .addColumn('author_id', 'bigint', cascadeReference('user'))
    .addColumn('title', 'text', notNull)
    .addColumn('description', 'text')
    .addColumn('state', 'text', notNull)
    .addColumn('confidential', 'boolean', defaultFalse)
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .addColumn('closed_at', 'text')
    .addColumn('closed_by_id', 'bigint', setNullReference('user'))
    .addUniqueConstraint('epic_iid_key', ['group_id', 'iid'])
    .execute()
  await db.schema.createIndex('epic_author').on('epic').column('author_id').execute()
  await db.schema.createIndex('epic_closed_by').on('epic').column('closed_by_id').execute()
}
