import { owned, ownedIfAny, required, type Schema, table, uniqueIgnoringCase, yes } from '../columns.ts'

export async function up(db: Schema): Promise<void> {
  await table(db, 'namespace')
    .addColumn('kind', 'text', required)
    .addColumn('parent_id', 'bigint', ownedIfAny('namespace'))
    .addColumn('owner_id', 'bigint', ownedIfAny('user'))
    .addColumn('name', 'text', required)
    .addColumn('path', 'text', required)
    .addColumn('full_name', 'text', required)
    .addColumn('full_path', 'text', required)
    .addColumn('description', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('visibility', 'text', required)
    .addColumn('request_access_enabled', 'boolean', yes)
    .addColumn('avatar_url', 'text')
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addUniqueConstraint('namespace_owner_key', ['owner_id'])
    .execute()
  await uniqueIgnoringCase(db, 'namespace_full_path_key', 'namespace', 'full_path').execute()
  await db.schema.createIndex('namespace_parent').on('namespace').column('parent_id').execute()
  await db.schema.createIndex('namespace_name').on('namespace').columns(['kind', 'name']).execute()

  await db.schema
    .createTable('namespace_lineage')
    .addColumn('namespace_id', 'bigint', owned('namespace'))
    .addColumn('ancestor_id', 'bigint', owned('namespace'))
    .addColumn('depth', 'integer', required)
    .addPrimaryKeyConstraint('namespace_lineage_pkey', ['namespace_id', 'ancestor_id'])
    .execute()
  await db.schema.createIndex('namespace_lineage_ancestor').on('namespace_lineage').column('ancestor_id').execute()

  await db.schema
    .createTable('internal_id')
    .addColumn('kind', 'text', required)
    .addColumn('owner_id', 'bigint', required)
    .addColumn('last', 'integer', required)
    .addPrimaryKeyConstraint('internal_id_pkey', ['kind', 'owner_id'])
    .execute()
}
