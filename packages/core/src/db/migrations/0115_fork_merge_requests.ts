import { defaultFalse, type MigrationDatabase, setNullReference } from '../schema/columns.ts'

/** The source branch of a merge request can be in another project, whose removal leaves the merge request. */
export async function up(db: MigrationDatabase): Promise<void> {
  const table = () => db.schema.alterTable('merge_request')
  await table().addColumn('source_id', 'bigint', setNullReference('project')).execute()
  await db
    .updateTable('merge_request')
    .set((eb) => ({ source_id: eb.ref('source_project_id') }))
    .execute()
  await db.schema.dropIndex('merge_request_source').execute()
  await table().dropColumn('source_project_id').execute()
  await table().renameColumn('source_id', 'source_project_id').execute()
  await table().addColumn('allow_collaboration', 'boolean', defaultFalse).execute()
  await db.schema
    .createIndex('merge_request_source')
    .on('merge_request')
    .columns(['source_project_id', 'source_branch'])
    .execute()
}
