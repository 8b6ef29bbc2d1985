import {
  cascadeReference,
  createTableWithId,
  defaultFalse,
  type MigrationDatabase,
  notNull,
} from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'remote_mirror')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('enabled', 'boolean', defaultFalse)
    .addColumn('url', 'text', notNull)
    .addColumn('shown_url', 'text', notNull)
    .addColumn('sealed_credentials', 'text')
    .addColumn('only_protected_branches', 'boolean', defaultFalse)
    .addColumn('keep_divergent_refs', 'boolean', defaultFalse)
    .addColumn('update_status', 'text', notNull)
    .addColumn('last_update_at', 'text')
    .addColumn('last_update_started_at', 'text')
    .addColumn('last_successful_update_at', 'text')
    .addColumn('last_error', 'text')
    .addColumn('requested_at', 'text')
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .execute()
  await db.schema.createIndex('remote_mirror_project').on('remote_mirror').columns(['project_id', 'id']).execute()
}
