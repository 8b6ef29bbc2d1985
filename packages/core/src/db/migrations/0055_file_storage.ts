import { isPostgres, type MigrationDatabase, notNull } from '../schema/columns.ts'

/**
 * Uploads are files in the file storage. The contents of earlier ones move to a table of their own, from where a job stores them
 * as files. A row of `repository_lock` exists while a process changes a repository.
 */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema.alterTable('upload').addColumn('storage_key', 'text').execute()
  await db.schema.alterTable('upload').addColumn('sha256', 'text').execute()
  await db.schema.createIndex('upload_storage_key').unique().on('upload').column('storage_key').execute()
  await db.schema
    .createTable('upload_content')
    .addColumn('upload_id', 'bigint', (column) => column.primaryKey().references('upload.id').onDelete('cascade'))
    .addColumn('content', isPostgres(db) ? 'bytea' : 'blob', notNull)
    .execute()
  await db
    .insertInto('upload_content')
    .columns(['upload_id', 'content'])
    .expression(db.selectFrom('upload').select(['id', 'content']))
    .execute()
  await db.schema.alterTable('upload').dropColumn('content').execute()
  const stored = await db.selectFrom('upload_content').select('upload_id').limit(1).execute()
  if (stored.length) {
    const now = new Date().toISOString()
    const job = { kind: 'uploads.moveContents', payload: '{}', state: 'pending', run_after: now, attempts: 0 }
    await db
      .insertInto('job')
      .values({ ...job, created_at: now })
      .execute()
  }
  await db.schema
    .createTable('repository_lock')
    .addColumn('project_id', 'bigint', (column) => column.primaryKey().references('project.id').onDelete('cascade'))
    .addColumn('owner', 'text', notNull)
    .addColumn('beat', 'bigint', notNull)
    .execute()
}
