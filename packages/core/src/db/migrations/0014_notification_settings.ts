import { sql } from 'kysely'
import {
  cascadeReference,
  createCaseInsensitiveUniqueIndex,
  createTableWithId,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
} from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'notification_setting')
    .addColumn('user_id', 'bigint', cascadeReference('user'))
    .addColumn('project_id', 'bigint', optionalCascadeReference('project'))
    .addColumn('group_id', 'bigint', optionalCascadeReference('namespace'))
    .addColumn('level', 'text', notNull)
    .addColumn('notification_email', 'text')
    .addColumn('events', 'json', notNull)
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .addUniqueConstraint('notification_setting_project_key', ['project_id', 'user_id'])
    .addUniqueConstraint('notification_setting_group_key', ['group_id', 'user_id'])
    .execute()
  await db.schema.createIndex('notification_setting_user').on('notification_setting').column('user_id').execute()
  await db.schema
    .createIndex('notification_setting_global')
    .unique()
    .on('notification_setting')
    .column('user_id')
    .where(sql<boolean>`project_id is null and group_id is null`)
    .execute()

  await createTableWithId(db, 'email_address')
    .addColumn('user_id', 'bigint', cascadeReference('user'))
    .addColumn('email', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .execute()
  await db.schema.createIndex('email_address_user').on('email_address').column('user_id').execute()
  await createCaseInsensitiveUniqueIndex(db, 'email_address_key', 'email_address', 'email').execute()
}
