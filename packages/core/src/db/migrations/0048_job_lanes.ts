import type { MigrationDatabase } from '../schema/columns.ts'

/** Lanes claim jobs by kind, and limit those that connect to the same destination. */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema.alterTable('job').addColumn('destination', 'text').execute()
  await db.schema.createIndex('job_lane').on('job').columns(['kind', 'state', 'run_after']).execute()
}
