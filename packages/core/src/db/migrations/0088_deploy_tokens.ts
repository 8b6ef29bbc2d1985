import { createTableWithId, type MigrationDatabase, notNull, optionalCascadeReference } from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'deploy_token')
    .addColumn('project_id', 'bigint', optionalCascadeReference('project'))
    .addColumn('group_id', 'bigint', optionalCascadeReference('namespace'))
    .addColumn('name', 'text', notNull)
    .addColumn('username', 'text', notNull)
    .addColumn('digest', 'text', notNull)
    .addColumn('scopes', 'json', notNull)
    .addColumn('expires_at', 'text')
    .addColumn('created_at', 'text', notNull)
    .addUniqueConstraint('deploy_token_digest_key', ['digest'])
    .execute()
  for (const column of ['project_id', 'group_id'])
    await db.schema.createIndex(`deploy_token_${column}`).on('deploy_token').columns([column, 'id']).execute()
}
