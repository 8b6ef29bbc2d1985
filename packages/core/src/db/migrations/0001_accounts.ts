import {
  cascadeReference,
  createCaseInsensitiveUniqueIndex,
  createTableWithId,
  defaultFalse,
  type MigrationDatabase,
  notNull,
} from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'user')
    .addColumn('username', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('email', 'text', notNull)
    .addColumn('state', 'text', notNull)
    .addColumn('admin', 'boolean', defaultFalse)
    .addColumn('external', 'boolean', defaultFalse)
    .addColumn('private_profile', 'boolean', defaultFalse)
    .addColumn('avatar_url', 'text')
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .execute()
  await createCaseInsensitiveUniqueIndex(db, 'user_username_key', 'user', 'username').execute()
  await createCaseInsensitiveUniqueIndex(db, 'user_email_key', 'user', 'email').execute()

  await createTableWithId(db, 'personal_access_token')
    .addColumn('user_id', 'bigint', cascadeReference('user'))
    .addColumn('name', 'text', notNull)
    .addColumn('digest', 'text', notNull)
    .addColumn('scopes', 'json', notNull)
    .addColumn('expires_at', 'text')
    .addColumn('revoked_at', 'text')
    .addColumn('created_at', 'text', notNull)
    .addUniqueConstraint('personal_access_token_digest_key', ['digest'])
    .execute()
  await db.schema.createIndex('personal_access_token_user').on('personal_access_token').column('user_id').execute()
}
