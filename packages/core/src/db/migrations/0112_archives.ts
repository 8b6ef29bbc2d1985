import {
  createTableWithId,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
  setNullReference,
} from '../schema/columns.ts'

/** The project or the group of a row, which has at most one row. */
const addContainer = (db: MigrationDatabase, name: string) =>
  createTableWithId(db, name)
    .addColumn('project_id', 'bigint', optionalCascadeReference('project'))
    .addColumn('group_id', 'bigint', optionalCascadeReference('namespace'))
    .addColumn('user_id', 'bigint', setNullReference('user'))
    .addColumn('status', 'text', notNull)
    .addColumn('error', 'text')
    .addColumn('storage_key', 'text')
    .addColumn('created_at', 'text', notNull)

/** Adds exports and imports of projects and groups. */
export async function up(db: MigrationDatabase): Promise<void> {
  await addContainer(db, 'archive_export')
    .addColumn('description', 'text')
    .addColumn('size', 'bigint')
    .addColumn('finished_at', 'text')
    .addColumn('expires_at', 'text')
    .execute()
  await addContainer(db, 'archive_import')
    .addColumn('correlation_id', 'text', notNull)
    .addColumn('options', 'json', notNull)
    .execute()
  for (const table of ['archive_export', 'archive_import']) {
    for (const owner of ['project', 'group'])
      await db.schema.createIndex(`${table}_${owner}`).unique().on(table).column(`${owner}_id`).execute()
    await db.schema.createIndex(`${table}_user`).on(table).column('user_id').execute()
    await db.schema.createIndex(`${table}_storage_key`).on(table).column('storage_key').execute()
  }
  await db.schema.createIndex('archive_export_expires').on('archive_export').column('expires_at').execute()
}
