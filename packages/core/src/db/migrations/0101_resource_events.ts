import {
  createTableWithId,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
  setNullReference,
} from '../schema/columns.ts'

/** Changes of labels, milestones and states of issues and merge requests. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'resource_event')
    .addColumn('issue_id', 'bigint', optionalCascadeReference('issue'))
    .addColumn('merge_request_id', 'bigint', optionalCascadeReference('merge_request'))
    .addColumn('user_id', 'bigint', setNullReference('user'))
    .addColumn('kind', 'text', notNull)
    .addColumn('action', 'text', notNull)
    .addColumn('label_id', 'bigint', setNullReference('label'))
    .addColumn('milestone_id', 'bigint', optionalCascadeReference('milestone'))
    .addColumn('created_at', 'text', notNull)
    .execute()
  const createIndex = (name: string, columns: string[]) =>
    db.schema.createIndex(`resource_event_${name}`).on('resource_event').columns(columns).execute()
  await createIndex('issue', ['issue_id', 'kind', 'id'])
  await createIndex('merge_request', ['merge_request_id', 'kind', 'id'])
  await createIndex('user', ['user_id'])
  await createIndex('label', ['label_id'])
  await createIndex('milestone', ['milestone_id'])
}
