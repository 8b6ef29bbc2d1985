import { defaultFalse, type MigrationDatabase } from '../schema/columns.ts'

const kinds = ['issue', 'merge_request', 'snippet', 'epic'] as const

/** Adds internal notes. The columns that hide them are part of the indexes by which notes are counted and paged. */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema.alterTable('note').addColumn('internal', 'boolean', defaultFalse).execute()
  await db.schema.alterTable('event').addColumn('internal', 'boolean', defaultFalse).execute()
  for (const kind of kinds) {
    for (const order of ['created_at', 'updated_at']) {
      const name = `note_${kind}_${order}`
      await db.schema.dropIndex(name).execute()
      await db.schema
        .createIndex(name)
        .on('note')
        .columns([`${kind}_id`, order, 'id', 'internal', 'author_id'])
        .where(`${kind}_id`, 'is not', null)
        .execute()
    }
  }
}
