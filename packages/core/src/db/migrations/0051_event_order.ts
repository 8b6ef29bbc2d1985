import type { MigrationDatabase } from '../schema/columns.ts'

const feeds = { event_project: 'project_id', event_author: 'author_id' } as const

/** Indexes events in the order of feeds: by time, then by id. Ids have another order when the clock was set back. */
export async function up(db: MigrationDatabase): Promise<void> {
  for (const [index, column] of Object.entries(feeds)) {
    await db.schema.dropIndex(index).execute()
    await db.schema.createIndex(index).on('event').columns([column, 'created_at', 'id']).execute()
  }
  await db.schema.dropIndex('event_created_at').execute()
  await db.schema.createIndex('event_created_at').on('event').columns(['created_at', 'id']).execute()
}
