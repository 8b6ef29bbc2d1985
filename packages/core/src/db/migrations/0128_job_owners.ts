import type { MigrationDatabase } from '../schema/columns.ts'

/** The processes that run jobs, so that those of a killed process need not wait. */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema.alterTable('job').addColumn('claimed_by', 'text').execute()
}
