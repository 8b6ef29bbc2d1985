import type { MigrationDatabase } from '../schema/columns.ts'

/** The weight of issues, and its changes. */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema.alterTable('issue').addColumn('weight', 'bigint').execute()
  await db.schema.alterTable('resource_event').addColumn('weight', 'bigint').execute()
  await db.schema.createIndex('issue_project_weight').on('issue').columns(['project_id', 'weight', 'id']).execute()
  await db.schema
    .createIndex('issue_weight')
    .on('issue')
    .columns(['weight', 'id'])
    .where('weight', 'is not', null)
    .execute()
}
