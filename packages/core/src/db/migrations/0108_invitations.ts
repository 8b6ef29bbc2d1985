import { sql } from 'kysely'
import {
  createTableWithId,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
  setNullReference,
} from '../schema/columns.ts'

/** Adds invitations of e-mail addresses to projects and groups. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'invitation')
    .addColumn('project_id', 'bigint', optionalCascadeReference('project'))
    .addColumn('group_id', 'bigint', optionalCascadeReference('namespace'))
    .addColumn('email', 'text', notNull)
    .addColumn('access_level', 'integer', notNull)
    .addColumn('expires_at', 'text')
    .addColumn('created_by_id', 'bigint', setNullReference('user'))
    .addColumn('created_at', 'text', notNull)
    .execute()
  for (const owner of ['project_id', 'group_id'])
    await db.schema
      .createIndex(`invitation_${owner}_email`)
      .unique()
      .on('invitation')
      .column(owner)
      .expression(sql`lower(email)`)
      .execute()
  await db.schema.createIndex('invitation_project').on('invitation').columns(['project_id', 'id']).execute()
  await db.schema.createIndex('invitation_group').on('invitation').columns(['group_id', 'id']).execute()
  await db.schema.createIndex('invitation_email').on('invitation').expression(sql`lower(email)`).column('id').execute()
  await db.schema.createIndex('invitation_created_by').on('invitation').column('created_by_id').execute()
}
