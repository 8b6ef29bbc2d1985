import {
  cascadeReference,
  createTableWithId,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
} from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'snippet')
    .addColumn('project_id', 'bigint', optionalCascadeReference('project'))
    .addColumn('author_id', 'bigint', cascadeReference('user'))
    .addColumn('title', 'text', notNull)
    .addColumn('file_name', 'text', notNull)
    .addColumn('description', 'text')
    .addColumn('content', 'text', notNull)
    .addColumn('visibility', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .execute()
  await db.schema.createIndex('snippet_author').on('snippet').columns(['author_id', 'created_at', 'id']).execute()
  await db.schema
    .createIndex('snippet_project')
    .on('snippet')
    .columns(['project_id', 'visibility', 'created_at', 'id'])
    .execute()

  await db.schema
    .createTable('snippet_origin')
    .addColumn('snippet_id', 'bigint', (column) => cascadeReference('snippet')(column).primaryKey())
    .addColumn('user_agent', 'text', notNull)
    .addColumn('ip_address', 'text', notNull)
    .execute()
}
