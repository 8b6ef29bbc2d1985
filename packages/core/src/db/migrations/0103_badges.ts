import { createTableWithId, type MigrationDatabase, notNull, optionalCascadeReference } from '../schema/columns.ts'

/** Adds badges of projects and groups. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'badge')
    .addColumn('project_id', 'bigint', optionalCascadeReference('project'))
    .addColumn('group_id', 'bigint', optionalCascadeReference('namespace'))
    .addColumn('name', 'text')
    .addColumn('link_url', 'text', notNull)
    .addColumn('image_url', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .execute()
  await db.schema.createIndex('badge_project').on('badge').columns(['project_id', 'id']).execute()
  await db.schema.createIndex('badge_group').on('badge').columns(['group_id', 'id']).execute()
}
