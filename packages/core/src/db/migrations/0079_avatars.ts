import {
  createTableWithId,
  isPostgres,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
} from '../schema/columns.ts'

/** Adds uploaded pictures of users, projects and groups. */
export async function up(db: MigrationDatabase): Promise<void> {
  const owners = { user_id: 'user', project_id: 'project', group_id: 'namespace' } as const
  let table = createTableWithId(db, 'avatar')
  for (const [column, target] of Object.entries(owners))
    table = table.addColumn(column, 'bigint', optionalCascadeReference(target))
  await table
    .addColumn('file_name', 'text', notNull)
    .addColumn('media_type', 'text', notNull)
    .addColumn('content', isPostgres(db) ? 'bytea' : 'blob', notNull)
    .execute()
  for (const column of Object.keys(owners))
    await db.schema.createIndex(`avatar_${column}`).unique().on('avatar').column(column).execute()
}
