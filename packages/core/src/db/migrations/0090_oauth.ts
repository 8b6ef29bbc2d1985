import {
  createTableWithId,
  defaultTrue,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
} from '../schema/columns.ts'

const createIndex = (db: MigrationDatabase, table: string, columns: string[]) =>
  db.schema
    .createIndex(`${table}_${columns.join('_')}`)
    .on(table)
    .columns(columns)

/** Applications that users sign in to, and what the OAuth provider stores for them. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'oauth_application')
    .addColumn('application_id', 'text', notNull)
    .addColumn('secret_digest', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('redirect_uris', 'json', notNull)
    .addColumn('scopes', 'json', notNull)
    .addColumn('confidential', 'boolean', defaultTrue)
    .addColumn('created_at', 'text', notNull)
    .execute()
  await createIndex(db, 'oauth_application', ['application_id']).unique().execute()
  await createTableWithId(db, 'oauth_record')
    .addColumn('model', 'text', notNull)
    .addColumn('digest', 'text', notNull)
    .addColumn('user_id', 'bigint', optionalCascadeReference('user'))
    .addColumn('oauth_application_id', 'bigint', optionalCascadeReference('oauth_application'))
    .addColumn('grant_digest', 'text')
    .addColumn('uid_digest', 'text')
    .addColumn('user_code_digest', 'text')
    .addColumn('scopes', 'json')
    .addColumn('sealed_payload', 'text', notNull)
    .addColumn('consumed_at', 'text')
    .addColumn('expires_at', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .execute()
  await createIndex(db, 'oauth_record', ['model', 'digest']).unique().execute()
  for (const column of ['user_id', 'oauth_application_id', 'grant_digest', 'uid_digest', 'user_code_digest'])
    await createIndex(db, 'oauth_record', [column]).execute()
  await createIndex(db, 'oauth_record', ['expires_at', 'id']).execute()
  await db.schema
    .createTable('oauth_key')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('sealed', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .execute()
}
