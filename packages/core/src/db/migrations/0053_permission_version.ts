import { isPostgres, type MigrationDatabase } from '../schema/columns.ts'
import { statement } from '../statement.ts'

const tables = [
  'application_secret',
  'application_setting',
  'forgelet_migration',
  'member',
  'namespace',
  'namespace_lineage',
  'personal_access_token',
  'project',
  'scim_token',
  'share',
  'user',
  'user_identity',
]

/**
 * PostgreSQL only: stores the last transaction that changed a cached table (`row-cache.ts`), so that processes notice changes
 * of others. Triggers include changes by foreign keys and by statements of the host.
 */
export async function up(db: MigrationDatabase): Promise<void> {
  if (!isPostgres(db)) return
  await db.schema
    .createTable('permission_version')
    .addColumn('version', 'text', (column) => column.notNull())
    .execute()
  await db.insertInto('permission_version').values({ version: '0' }).execute()
  // Once for each transaction: each further update would leave a dead row.
  await statement(`create function {permission_change}() returns trigger language plpgsql as $$ begin
    update {permission_version} set version = pg_current_xact_id()::text where version <> pg_current_xact_id()::text;
    return null;
  end $$`).execute(db)
  for (const table of tables) {
    const run = `on {${table}} for each`
    await statement(`create trigger {#${table}_changed} after insert or update or delete ${run} row
      execute function {permission_change}()`).execute(db)
    await statement(`create trigger {#${table}_truncated} after truncate ${run} statement
      execute function {permission_change}()`).execute(db)
  }
}
