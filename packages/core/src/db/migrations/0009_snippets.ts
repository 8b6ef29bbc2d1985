import { owned, ownedIfAny, required, type Schema, table } from '../columns.ts'

export async function up(db: Schema): Promise<void> {
  await table(db, 'snippet')
    .addColumn('project_id', 'bigint', ownedIfAny('project'))
    .addColumn('author_id', 'bigint', owned('user'))
    .addColumn('title', 'text', required)
    .addColumn('file_name', 'text', required)
    .addColumn('description', 'text')
    .addColumn('content', 'text', required)
    .addColumn('visibility', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .execute()
  await db.schema.createIndex('snippet_author').on('snippet').columns(['author_id', 'created_at', 'id']).execute()
  await db.schema
    .createIndex('snippet_project')
    .on('snippet')
    .columns(['project_id', 'visibility', 'created_at', 'id'])
    .execute()

  await db.schema
    .createTable('snippet_origin')
    .addColumn('snippet_id', 'bigint', (column) => owned('snippet')(column).primaryKey())
    .addColumn('user_agent', 'text', required)
    .addColumn('ip_address', 'text', required)
    .execute()
}
