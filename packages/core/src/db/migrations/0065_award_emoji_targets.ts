import { type MigrationDatabase, optionalCascadeReference } from '../schema/columns.ts'

/** Adds emoji on notes and snippets. */
export async function up(db: MigrationDatabase): Promise<void> {
  for (const target of ['note', 'snippet']) {
    const column = `${target}_id`
    await db.schema.alterTable('award_emoji').addColumn(column, 'bigint', optionalCascadeReference(target)).execute()
    await db.schema
      .createIndex(`award_emoji_${target}_key`)
      .unique()
      .on('award_emoji')
      .columns([column, 'user_id', 'name'])
      .execute()
  }
}
