import type { MigrationDatabase } from '../schema/columns.ts'

/** Indexes members by user within a group: a list over several groups merges them in this order without sorting. */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema.createIndex('member_project_user').on('member').columns(['project_id', 'user_id']).execute()
  await db.schema.createIndex('member_group_user').on('member').columns(['group_id', 'user_id']).execute()
}
