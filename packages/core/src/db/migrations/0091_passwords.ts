import { type MigrationDatabase, notNull } from '../schema/columns.ts'

/** Passwords of users, as hashes. */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema
    .createTable('user_password')
    .addColumn('user_id', 'bigint', (column) => column.primaryKey().references('user.id').onDelete('cascade'))
    .addColumn('hash', 'text', notNull)
    .addColumn('changed_at', 'text', notNull)
    .execute()
}
