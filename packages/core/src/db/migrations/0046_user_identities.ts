import { owned, required, type Schema, table } from '../columns.ts'

/** Who a user is elsewhere: in the tables of the host, or at a service where people sign in. */
export async function up(db: Schema): Promise<void> {
  await table(db, 'user_identity')
    .addColumn('user_id', 'bigint', owned('user'))
    .addColumn('provider', 'text', required)
    .addColumn('external_uid', 'text', required)
    .addColumn('created_at', 'text', required)
    .addUniqueConstraint('user_identity_uid_key', ['provider', 'external_uid'])
    .addUniqueConstraint('user_identity_user_key', ['user_id', 'provider'])
    .execute()
}
