import { sql } from 'kysely'
import { owned, ownedIfAny, required, type Schema, table, uniqueIgnoringCase } from '../columns.ts'

export async function up(db: Schema): Promise<void> {
  await table(db, 'notification_setting')
    .addColumn('user_id', 'bigint', owned('user'))
    .addColumn('project_id', 'bigint', ownedIfAny('project'))
    .addColumn('group_id', 'bigint', ownedIfAny('namespace'))
    .addColumn('level', 'text', required)
    .addColumn('notification_email', 'text')
    .addColumn('events', 'json', required)
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
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

  await table(db, 'email_address')
    .addColumn('user_id', 'bigint', owned('user'))
    .addColumn('email', 'text', required)
    .addColumn('created_at', 'text', required)
    .execute()
  await db.schema.createIndex('email_address_user').on('email_address').column('user_id').execute()
  await uniqueIgnoringCase(db, 'email_address_key', 'email_address', 'email').execute()
}
