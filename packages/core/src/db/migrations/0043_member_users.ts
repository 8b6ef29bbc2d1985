import type { Schema } from '../columns.ts'

/** Members in order of user: a list over several groups reads each group's in this order and never all of them. */
export async function up(db: Schema): Promise<void> {
  await db.schema.createIndex('member_project_user').on('member').columns(['project_id', 'user_id']).execute()
  await db.schema.createIndex('member_group_user').on('member').columns(['group_id', 'user_id']).execute()
}
