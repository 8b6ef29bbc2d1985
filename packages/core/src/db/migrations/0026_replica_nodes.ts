import {
  createCaseInsensitiveUniqueIndex,
  createTableWithId,
  defaultFalse,
  defaultTrue,
  type MigrationDatabase,
  notNull,
} from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'replica_node')
    .addColumn('name', 'text', notNull)
    .addColumn('url', 'text', notNull)
    .addColumn('internal_url', 'text')
    .addColumn('primary', 'boolean', defaultFalse)
    .addColumn('enabled', 'boolean', defaultTrue)
    .addColumn('files_max_capacity', 'integer', notNull)
    .addColumn('repos_max_capacity', 'integer', notNull)
    .addColumn('verification_max_capacity', 'integer', notNull)
    .addColumn('container_repositories_max_capacity', 'integer', notNull)
    .addColumn('sync_object_storage', 'boolean', defaultFalse)
    .addColumn('selective_sync_type', 'text')
    .addColumn('selective_sync_shards', 'json', notNull)
    .addColumn('selective_sync_namespace_ids', 'json', notNull)
    .addColumn('minimum_reverification_interval', 'integer', notNull)
    .addColumn('status', 'json')
    .addColumn('status_at', 'text')
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .execute()
  await createCaseInsensitiveUniqueIndex(db, 'replica_node_name_key', 'replica_node', 'name').execute()
}
