import {
  cascadeReference,
  createTableWithId,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
} from '../schema/columns.ts'

/** Adds emoji on epics, changes of their labels and states, and their issues. */
export async function up(db: MigrationDatabase): Promise<void> {
  for (const table of ['award_emoji', 'resource_event'] as const)
    await db.schema.alterTable(table).addColumn('epic_id', 'bigint', optionalCascadeReference('epic')).execute()
  await db.schema
    .createIndex('award_emoji_epic_key')
    .unique()
    .on('award_emoji')
    .columns(['epic_id', 'user_id', 'name'])
    .execute()
  await db.schema.createIndex('resource_event_epic').on('resource_event').columns(['epic_id', 'kind', 'id']).execute()

  await createTableWithId(db, 'epic_issue')
    .addColumn('epic_id', 'bigint', cascadeReference('epic'))
    .addColumn('issue_id', 'bigint', (column) => cascadeReference('issue')(column).unique())
    .addColumn('relative_position', 'bigint', notNull)
    .execute()
  await db.schema
    .createIndex('epic_issue_position')
    .on('epic_issue')
    .columns(['epic_id', 'relative_position', 'id'])
    .execute()
}
