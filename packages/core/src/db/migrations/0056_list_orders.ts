import type { MigrationDatabase } from '../schema/columns.ts'

const itemOrders = ['created_at', 'updated_at'] as const
const projectOrders = [...itemOrders, 'last_activity_at', 'name', 'path'] as const

const noteKinds = ['issue', 'merge_request', 'snippet', 'epic'] as const

/**
 * Indexes the orders of lists of issues, merge requests and projects, so that a page costs its own rows only. Adds `system` to an
 * index of notes, so that comments are counted without reading them.
 */
export async function up(db: MigrationDatabase): Promise<void> {
  for (const table of ['issue', 'merge_request'] as const) {
    for (const column of itemOrders) {
      const index = db.schema.createIndex(`${table}_project_${column}`).on(table)
      await index.columns(['project_id', column, 'id']).execute()
    }
  }
  for (const kind of noteKinds) {
    const name = `note_${kind}_created_at`
    await db.schema.dropIndex(name).execute()
    await db.schema
      .createIndex(name)
      .on('note')
      .columns([`${kind}_id`, 'created_at', 'id', 'internal', 'author_id', 'system'])
      .where(`${kind}_id`, 'is not', null)
      .execute()
  }
  for (const column of projectOrders) {
    await db.schema.createIndex(`project_${column}`).on('project').columns([column, 'id']).execute()
  }
}
