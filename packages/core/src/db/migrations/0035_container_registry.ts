import { sql } from 'kysely'
import {
  cascadeReference,
  createTableWithId,
  defaultFalse,
  isPostgres,
  type MigrationDatabase,
  notNull,
} from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'container_repository')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('name', 'text', notNull)
    .addColumn('leaving', 'boolean', defaultFalse)
    .addColumn('cleanup_asked_at', 'text')
    .addColumn('created_at', 'text', notNull)
    .addUniqueConstraint('container_repository_project_name_key', ['project_id', 'name'])
    .execute()

  // Registries and SQLite order tags bytewise; this gives the same order on PostgreSQL.
  const bytes = isPostgres(db) ? sql`text collate "C"` : 'text'
  await createTableWithId(db, 'container_tag')
    .addColumn('container_repository_id', 'bigint', cascadeReference('container_repository'))
    .addColumn('name', bytes, notNull)
    .addColumn('digest', 'text', notNull)
    .addColumn('revision', 'text')
    .addColumn('total_size', 'bigint')
    .addColumn('created_at', 'text')
    .addColumn('put_at', 'text', notNull)
    .addUniqueConstraint('container_tag_repository_name_key', ['container_repository_id', 'name'])
    .execute()
}
