import { sql } from 'kysely'
import { isPostgres, no, owned, required, type Schema, table } from '../columns.ts'

export async function up(db: Schema): Promise<void> {
  await table(db, 'container_repository')
    .addColumn('project_id', 'bigint', owned('project'))
    .addColumn('name', 'text', required)
    .addColumn('leaving', 'boolean', no)
    .addColumn('cleanup_asked_at', 'text')
    .addColumn('created_at', 'text', required)
    .addUniqueConstraint('container_repository_project_name_key', ['project_id', 'name'])
    .execute()

  // Registries order tags by their bytes, and so does SQLite: the same list everywhere.
  const bytes = isPostgres(db) ? sql`text collate "C"` : 'text'
  await table(db, 'container_tag')
    .addColumn('container_repository_id', 'bigint', owned('container_repository'))
    .addColumn('name', bytes, required)
    .addColumn('digest', 'text', required)
    .addColumn('revision', 'text')
    .addColumn('total_size', 'bigint')
    .addColumn('created_at', 'text')
    .addColumn('put_at', 'text', required)
    .addUniqueConstraint('container_tag_repository_name_key', ['container_repository_id', 'name'])
    .execute()
}
