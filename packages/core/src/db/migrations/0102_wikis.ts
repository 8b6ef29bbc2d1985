import { createTableWithId, type MigrationDatabase, notNull, optionalCascadeReference } from '../schema/columns.ts'

/** Adds wiki pages, and the order of users by their last activity. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'wiki_page')
    .addColumn('project_id', 'bigint', optionalCascadeReference('project'))
    .addColumn('group_id', 'bigint', optionalCascadeReference('namespace'))
    .addColumn('slug', 'text', notNull)
    .addColumn('title', 'text', notNull)
    .addColumn('format', 'text', notNull)
    .addColumn('content', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .addUniqueConstraint('wiki_page_project_key', ['project_id', 'slug'])
    .addUniqueConstraint('wiki_page_group_key', ['group_id', 'slug'])
    .execute()
  await db.schema.createIndex('user_last_activity').on('user').columns(['last_activity_on', 'id']).execute()
}
