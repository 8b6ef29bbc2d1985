import { type RawBuilder, sql } from 'kysely'
import { defaultFalse, isPostgres, type MigrationDatabase, optionalCascadeReference } from '../schema/columns.ts'

/** An order in which rows without a value are the smallest, as they are in indexes of SQLite. */
const nullsFirst = (db: MigrationDatabase, column: string): RawBuilder<unknown> =>
  isPostgres(db) ? sql`${sql.ref(column)} nulls first, ${sql.ref('id')}` : sql`${sql.ref(column)}, ${sql.ref('id')}`

export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema.alterTable('user').addColumn('bot', 'boolean', defaultFalse).execute()
  const table = 'personal_access_token'
  await db.schema.alterTable(table).addColumn('last_used_at', 'text').execute()
  await db.schema.alterTable(table).addColumn('project_id', 'bigint', optionalCascadeReference('project')).execute()
  await db.schema.alterTable(table).addColumn('group_id', 'bigint', optionalCascadeReference('namespace')).execute()
  for (const column of ['project_id', 'group_id', 'created_at', 'name'])
    await db.schema.createIndex(`${table}_${column}`).on(table).columns([column, 'id']).execute()
  for (const column of ['expires_at', 'last_used_at'])
    await db.schema.createIndex(`${table}_${column}`).on(table).expression(nullsFirst(db, column)).execute()
}
