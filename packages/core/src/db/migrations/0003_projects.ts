import {
  cascadeReference,
  createCaseInsensitiveUniqueIndex,
  createTableWithId,
  defaultFalse,
  defaultTrue,
  type MigrationDatabase,
  notNull,
  setNullReference,
} from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'project')
    .addColumn('namespace_id', 'bigint', cascadeReference('namespace'))
    .addColumn('creator_id', 'bigint', setNullReference('user'))
    .addColumn('name', 'text', notNull)
    .addColumn('path', 'text', notNull)
    .addColumn('full_path', 'text', notNull)
    .addColumn('description', 'text')
    .addColumn('visibility', 'text', notNull)
    .addColumn('archived', 'boolean', defaultFalse)
    .addColumn('default_branch', 'text', notNull)
    .addColumn('request_access_enabled', 'boolean', defaultTrue)
    .addColumn('issues_access_level', 'text', notNull)
    .addColumn('merge_requests_access_level', 'text', notNull)
    .addColumn('repository_access_level', 'text', notNull)
    .addColumn('snippets_access_level', 'text', notNull)
    .addColumn('avatar_url', 'text')
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .addColumn('last_activity_at', 'text', notNull)
    .execute()
  await createCaseInsensitiveUniqueIndex(db, 'project_full_path_key', 'project', 'full_path').execute()
  await db.schema.createIndex('project_namespace').on('project').columns(['namespace_id', 'created_at']).execute()
  await db.schema.createIndex('project_creator').on('project').column('creator_id').execute()
  await db.schema.createIndex('project_visibility').on('project').column('visibility').execute()
}
