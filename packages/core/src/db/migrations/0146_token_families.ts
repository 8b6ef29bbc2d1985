import type { MigrationDatabase } from '../schema/columns.ts'

/** Tokens that rotation created from each other. */
export async function up(db: MigrationDatabase): Promise<void> {
  const table = 'personal_access_token'
  await db.schema.alterTable(table).addColumn('family_id', 'bigint').execute()
  await db.schema.createIndex(`${table}_family`).on(table).columns(['family_id', 'id']).execute()
}
