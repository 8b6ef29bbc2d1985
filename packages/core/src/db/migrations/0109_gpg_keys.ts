import { cascadeReference, createTableWithId, type MigrationDatabase, notNull } from '../schema/columns.ts'

/** Adds OpenPGP keys of users. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'gpg_key')
    .addColumn('user_id', 'bigint', cascadeReference('user'))
    .addColumn('key', 'text', notNull)
    .addColumn('fingerprint', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .addUniqueConstraint('gpg_key_fingerprint_key', ['fingerprint'])
    .execute()
  await db.schema.createIndex('gpg_key_user').on('gpg_key').columns(['user_id', 'id']).execute()
}
