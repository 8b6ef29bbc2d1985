import { defaultFalse, type MigrationDatabase } from '../schema/columns.ts'

/** Variables whose value cannot be read any more. */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema.alterTable('ci_variable').addColumn('hidden', 'boolean', defaultFalse).execute()
}
