import {
  cascadeReference,
  createCaseInsensitiveUniqueIndex,
  createTableWithId,
  defaultTrue,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
} from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'namespace')
    .addColumn('kind', 'text', notNull)
    .addColumn('parent_id', 'bigint', optionalCascadeReference('namespace'))
    .addColumn('owner_id', 'bigint', optionalCascadeReference('user'))
    .addColumn('name', 'text', notNull)
    .addColumn('path', 'text', notNull)
    .addColumn('full_name', 'text', notNull)
    .addColumn('full_path', 'text', notNull)
    .addColumn('description', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('visibility', 'text', notNull)
    .addColumn('request_access_enabled', 'boolean', defaultTrue)
    .addColumn('avatar_url', 'text')
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .addUniqueConstraint('namespace_owner_key', ['owner_id'])
    .execute()
  await createCaseInsensitiveUniqueIndex(db, 'namespace_full_path_key', 'namespace', 'full_path').execute()
  await db.schema.createIndex('namespace_parent').on('namespace').column('parent_id').execute()
  await db.schema.createIndex('namespace_name').on('namespace').columns(['kind', 'name']).execute()

  await db.schema
    .createTable('namespace_lineage')
    .addColumn('namespace_id', 'bigint', cascadeReference('namespace'))
    .addColumn('ancestor_id', 'bigint', cascadeReference('namespace'))
    .addColumn('depth', 'integer', notNull)
    .addPrimaryKeyConstraint('namespace_lineage_pkey', ['namespace_id', 'ancestor_id'])
    .execute()
  await db.schema.createIndex('namespace_lineage_ancestor').on('namespace_lineage').column('ancestor_id').execute()

  await db.schema
    .createTable('internal_id')
    .addColumn('kind', 'text', notNull)
    .addColumn('owner_id', 'bigint', notNull)
    .addColumn('last', 'integer', notNull)
    .addPrimaryKeyConstraint('internal_id_pkey', ['kind', 'owner_id'])
    .execute()
}
