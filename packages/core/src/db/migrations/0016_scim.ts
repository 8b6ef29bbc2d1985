import { sql } from 'kysely'
import { no, owned, required, type Schema, table, yes } from '../columns.ts'

export async function up(db: Schema): Promise<void> {
  await table(db, 'sso_provider')
    .addColumn('group_id', 'bigint', owned('namespace'))
    .addColumn('name', 'text', required)
    .addColumn('enabled', 'boolean', yes)
    .addColumn('created_at', 'text', required)
    .addUniqueConstraint('sso_provider_group_key', ['group_id'])
    .execute()

  await table(db, 'scim_token')
    .addColumn('group_id', 'bigint', owned('namespace'))
    .addColumn('digest', 'text', required)
    .addColumn('created_at', 'text', required)
    .addUniqueConstraint('scim_token_digest_key', ['digest'])
    .execute()
  await db.schema.createIndex('scim_token_group').on('scim_token').column('group_id').execute()

  await table(db, 'scim_identity')
    .addColumn('group_id', 'bigint', owned('namespace'))
    .addColumn('user_id', 'bigint', owned('user'))
    .addColumn('extern_uid', 'text', required)
    .addColumn('provisioned', 'boolean', no)
    .addColumn('unlinked_at', 'text')
    .addColumn('created_at', 'text', required)
    .addUniqueConstraint('scim_identity_user_key', ['group_id', 'user_id'])
    .execute()
  await db.schema
    .createIndex('scim_identity_extern_uid_key')
    .unique()
    .on('scim_identity')
    .column('group_id')
    .expression(sql`lower(extern_uid)`)
    .where(sql.ref('unlinked_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('scim_identity_extern_uid')
    .on('scim_identity')
    .column('group_id')
    .expression(sql`lower(extern_uid)`)
    .execute()
  await db.schema.createIndex('scim_identity_group').on('scim_identity').columns(['group_id', 'id']).execute()
  await db.schema.createIndex('scim_identity_user').on('scim_identity').column('user_id').execute()
}
