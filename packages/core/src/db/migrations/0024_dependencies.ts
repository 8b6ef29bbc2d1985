import { cascadeReference, createTableWithId, type MigrationDatabase, notNull } from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'dependency')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('name', 'text', notNull)
    .addColumn('version', 'text', notNull)
    .addColumn('package_manager', 'text', notNull)
    .addColumn('dependency_file_path', 'text', notNull)
    .addColumn('vulnerabilities', 'json', notNull)
    .execute()
  await db.schema
    .createIndex('dependency_project_name')
    .on('dependency')
    .columns(['project_id', 'name', 'version', 'id'])
    .execute()
}
