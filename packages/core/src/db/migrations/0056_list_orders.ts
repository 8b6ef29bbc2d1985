import type { MigrationDatabase } from '../columns.ts'

const itemOrders = ['created_at', 'updated_at'] as const
const projectOrders = [...itemOrders, 'last_activity_at', 'name', 'path'] as const

/** Indexes the orders of lists of issues, merge requests and projects, so that a page costs its own rows only. */
export async function up(db: MigrationDatabase): Promise<void> {
  for (const table of ['issue', 'merge_request'] as const) {
    for (const column of itemOrders) {
      const index = db.schema.createIndex(`${table}_project_${column}`).on(table)
      await index.columns(['project_id', column, 'id']).execute()
    }
  }
  for (const column of projectOrders) {
    await db.schema.createIndex(`project_${column}`).on('project').columns([column, 'id']).execute()
  }
}
