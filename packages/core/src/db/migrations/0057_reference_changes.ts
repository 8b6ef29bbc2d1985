import {
  cascadeReference,
  createTableWithId,
  type MigrationDatabase,
  notNull,
  setNullReference,
} from '../schema/columns.ts'

/** A row exists while git changes references of a project, until the change is recorded. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'reference_change')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('user_id', 'bigint', setNullReference('user'))
    .addColumn('moves', 'json', notNull)
    .addColumn('cause', 'json')
    .addColumn('created_at', 'text', notNull)
    .execute()
  await db.schema.createIndex('reference_change_project').on('reference_change').columns(['project_id', 'id']).execute()
  await db.schema.createIndex('reference_change_user').on('reference_change').column('user_id').execute()
}
