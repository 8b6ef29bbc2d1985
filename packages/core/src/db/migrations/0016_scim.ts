import { sql } from 'kysely'
import {
  cascadeReference,
  createTableWithId,
  defaultFalse,
  defaultTrue,
  type MigrationDatabase,
  notNull,
} from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'sso_provider')
    .addColumn('group_id', 'bigint', cascadeReference('namespace'))
    .addColumn('name', 'text', notNull)
    .addColumn('enabled', 'boolean', defaultTrue)
    .addColumn('created_at', 'text', notNull)
    .addUniqueConstraint('sso_provider_group_key', ['group_id'])
    .execute()

  await createTableWithId(db, 'scim_token')
    .addColumn('group_id', 'bigint', cascadeReference('namespace'))
    .addColumn('digest', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .addUniqueConstraint('scim_token_digest_key', ['digest'])
    .execute()
  await db.schema.createIndex('scim_token_group').on('scim_token').column('group_id').execute()

  await createTableWithId(db, 'scim_identity')
    .addColumn('group_id', 'bigint', cascadeReference('namespace'))
    .addColumn('user_id', 'bigint', cascadeReference('user'))
    .addColumn('extern_uid', 'text', notNull)
    .addColumn('provisioned', 'boolean', defaultFalse)
    .addColumn('unlinked_at', 'text')
    .addColumn('created_at', 'text', notNull)
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
