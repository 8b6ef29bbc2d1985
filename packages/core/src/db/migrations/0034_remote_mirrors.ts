import { no, owned, required, type Schema, table } from '../columns.ts'

export async function up(db: Schema): Promise<void> {
  await table(db, 'remote_mirror')
    .addColumn('project_id', 'bigint', owned('project'))
    .addColumn('enabled', 'boolean', no)
    .addColumn('url', 'text', required)
    .addColumn('shown_url', 'text', required)
    .addColumn('sealed_credentials', 'text')
    .addColumn('only_protected_branches', 'boolean', no)
    .addColumn('keep_divergent_refs', 'boolean', no)
    .addColumn('update_status', 'text', required)
    .addColumn('last_update_at', 'text')
    .addColumn('last_update_started_at', 'text')
    .addColumn('last_successful_update_at', 'text')
    .addColumn('last_error', 'text')
    .addColumn('requested_at', 'text')
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .execute()
  await db.schema.createIndex('remote_mirror_project').on('remote_mirror').columns(['project_id', 'id']).execute()
}
