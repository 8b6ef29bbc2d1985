import type { MigrationDatabase } from '../schema/columns.ts'

/** Lowers shares of projects to level 40: `shares.add` accepted level 50, which projects do not have. */
export async function up(db: MigrationDatabase): Promise<void> {
  await db
    .updateTable('share')
    .set({ access_level: 40 })
    .where('project_id', 'is not', null)
    .where('access_level', '>', 40)
    .execute()
}
