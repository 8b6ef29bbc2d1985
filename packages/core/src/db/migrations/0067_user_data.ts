import { cascadeReference, type MigrationDatabase, notNull } from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema.alterTable('email_address').addColumn('confirmed_at', 'text').execute()
  await db
    .updateTable('email_address')
    .set((eb) => ({ confirmed_at: eb.ref('created_at') }))
    .execute()
  await db.schema
    .createTable('user_status')
    .addColumn('user_id', 'integer', (column) => cascadeReference('user')(column).primaryKey())
    .addColumn('emoji', 'text', notNull)
    .addColumn('message', 'text', notNull)
    .addColumn('availability', 'text', notNull)
    .addColumn('clear_at', 'text')
    .execute()
}
