import { cascadeReference, type MigrationDatabase } from '../schema/columns.ts'

/** Adds dates, the colour and labels of epics, and the orders of lists of epics and deployments. */
export async function up(db: MigrationDatabase): Promise<void> {
  for (const column of ['start_date', 'due_date', 'color']) {
    await db.schema.alterTable('epic').addColumn(column, 'text').execute()
  }
  for (const column of ['created_at', 'updated_at', 'title']) {
    await db.schema.createIndex(`epic_group_${column}`).on('epic').columns(['group_id', column, 'id']).execute()
  }
  await db.schema
    .createTable('epic_label')
    .addColumn('epic_id', 'bigint', cascadeReference('epic'))
    .addColumn('label_id', 'bigint', cascadeReference('label'))
    .addPrimaryKeyConstraint('epic_label_key', ['epic_id', 'label_id'])
    .execute()
  await db.schema.createIndex('epic_label_label').on('epic_label').column('label_id').execute()
  for (const column of ['created_at', 'updated_at', 'iid']) {
    await db.schema
      .createIndex(`deployment_project_${column}`)
      .on('deployment')
      .columns(['project_id', column, 'id'])
      .execute()
  }
}
