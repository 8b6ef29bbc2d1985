import {
  cascadeReference,
  createTableWithId,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
  setNullReference,
} from '../schema/columns.ts'

const defaultZero = (column: Parameters<typeof notNull>[0]) => column.notNull().defaultTo(0)

/** Adds time tracking, subscriptions and links of issues, moved issues, and the orders of lists over several projects. */
export async function up(db: MigrationDatabase): Promise<void> {
  for (const table of ['issue', 'merge_request'] as const) {
    await db.schema.alterTable(table).addColumn('time_estimate', 'integer', defaultZero).execute()
    await db.schema.alterTable(table).addColumn('total_time_spent', 'integer', defaultZero).execute()
    await db.schema.createIndex(`${table}_order_title`).on(table).columns(['title', 'id']).execute()
    await db.schema.createIndex(`${table}_project_title`).on(table).columns(['project_id', 'title', 'id']).execute()
  }
  for (const column of ['created_at', 'updated_at']) {
    await db.schema.createIndex(`merge_request_${column}`).on('merge_request').columns([column, 'id']).execute()
  }
  await db.schema.alterTable('issue').addColumn('moved_to_id', 'bigint', setNullReference('issue')).execute()
  await db.schema.createIndex('issue_moved_to').on('issue').column('moved_to_id').execute()

  await createTableWithId(db, 'subscription')
    .addColumn('user_id', 'bigint', cascadeReference('user'))
    .addColumn('issue_id', 'bigint', optionalCascadeReference('issue'))
    .addColumn('merge_request_id', 'bigint', optionalCascadeReference('merge_request'))
    .addColumn('subscribed', 'boolean', notNull)
    .addUniqueConstraint('subscription_issue_key', ['issue_id', 'user_id'])
    .addUniqueConstraint('subscription_merge_request_key', ['merge_request_id', 'user_id'])
    .execute()
  await db.schema.createIndex('subscription_user').on('subscription').column('user_id').execute()

  await createTableWithId(db, 'issue_link')
    .addColumn('source_id', 'bigint', cascadeReference('issue'))
    .addColumn('target_id', 'bigint', cascadeReference('issue'))
    .addColumn('link_type', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .addUniqueConstraint('issue_link_key', ['source_id', 'target_id'])
    .execute()
  await db.schema.createIndex('issue_link_target').on('issue_link').column('target_id').execute()
}
