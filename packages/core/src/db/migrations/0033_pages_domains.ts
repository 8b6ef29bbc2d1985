import { no, owned, required, type Schema, table, uniqueIgnoringCase } from '../columns.ts'

export async function up(db: Schema): Promise<void> {
  await table(db, 'pages_domain')
    .addColumn('project_id', 'bigint', owned('project'))
    .addColumn('name', 'text', required)
    .addColumn('auto_ssl_enabled', 'boolean', no)
    .addColumn('certificate', 'text')
    .addColumn('sealed_key', 'text')
    .addColumn('certificate_starts_at', 'text')
    .addColumn('certificate_ends_at', 'text')
    .addColumn('verification_code', 'text', required)
    .addColumn('verified_at', 'text')
    .addColumn('enabled_until', 'text')
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .execute()
  await uniqueIgnoringCase(db, 'pages_domain_name_key', 'pages_domain', 'name').execute()
  await db.schema.createIndex('pages_domain_project').on('pages_domain').columns(['project_id', 'name']).execute()
}
