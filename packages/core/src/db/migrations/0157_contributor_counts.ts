import {
  cascadeReference,
  createTableWithId,
  defaultFalse,
  type MigrationDatabase,
  notNull,
} from '../schema/columns.ts'

/** Contributors of long histories, by the newest commit of the history. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'contributor_count')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('commit_id', 'text', notNull)
    .addColumn('commits', 'bigint', notNull)
    .addColumn('is_complete', 'boolean', defaultFalse)
    .addColumn('created_at', 'text', notNull)
    .execute()
  await db.schema
    .createIndex('contributor_count_commit')
    .unique()
    .on('contributor_count')
    .columns(['project_id', 'commit_id'])
    .execute()
  await db.schema
    .createTable('contributor')
    .addColumn('count_id', 'bigint', cascadeReference('contributor_count'))
    .addColumn('email', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('email_key', 'text', notNull)
    .addColumn('name_key', 'text', notNull)
    .addColumn('commits', 'bigint', notNull)
    .addColumn('additions', 'bigint', notNull)
    .addColumn('deletions', 'bigint', notNull)
    .addPrimaryKeyConstraint('contributor_key', ['count_id', 'email'])
    .execute()
  for (const column of ['commits', 'name_key', 'email_key'])
    await db.schema.createIndex(`contributor_${column}`).on('contributor').columns(['count_id', column]).execute()
}
