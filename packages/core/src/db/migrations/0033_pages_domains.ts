import {
  cascadeReference,
  createCaseInsensitiveUniqueIndex,
  createTableWithId,
  defaultFalse,
  type MigrationDatabase,
  notNull,
} from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'pages_domain')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('name', 'text', notNull)
    .addColumn('auto_ssl_enabled', 'boolean', defaultFalse)
    .addColumn('certificate', 'text')
    .addColumn('sealed_key', 'text')
    .addColumn('certificate_starts_at', 'text')
    .addColumn('certificate_ends_at', 'text')
    .addColumn('verification_code', 'text', notNull)
    .addColumn('verified_at', 'text')
    .addColumn('enabled_until', 'text')
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .execute()
  await createCaseInsensitiveUniqueIndex(db, 'pages_domain_name_key', 'pages_domain', 'name').execute()
  await db.schema.createIndex('pages_domain_project').on('pages_domain').columns(['project_id', 'name']).execute()
}
