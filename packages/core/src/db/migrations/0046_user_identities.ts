import { cascadeReference, createTableWithId, type MigrationDatabase, notNull } from '../schema/columns.ts'

/** Links users to external identities: rows of the host, or accounts at a sign-in service. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'user_identity')
    .addColumn('user_id', 'bigint', cascadeReference('user'))
    .addColumn('provider', 'text', notNull)
    .addColumn('external_uid', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .addUniqueConstraint('user_identity_uid_key', ['provider', 'external_uid'])
    .addUniqueConstraint('user_identity_user_key', ['user_id', 'provider'])
    .execute()
}
