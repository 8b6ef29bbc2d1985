import { owned, required, type Schema, table } from '../columns.ts'

export async function up(db: Schema): Promise<void> {
  await table(db, 'dependency')
    .addColumn('project_id', 'bigint', owned('project'))
    .addColumn('name', 'text', required)
    .addColumn('version', 'text', required)
    .addColumn('package_manager', 'text', required)
    .addColumn('dependency_file_path', 'text', required)
    .addColumn('vulnerabilities', 'json', required)
    .execute()
  await db.schema
    .createIndex('dependency_project_name')
    .on('dependency')
    .columns(['project_id', 'name', 'version', 'id'])
    .execute()
}
