import type { MigrationDatabase } from '../schema/columns.ts'

/** Stores the parts of names that identity providers send, so that one part can change the display name. */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema.alterTable('scim_identity').addColumn('given_name', 'text').execute()
  await db.schema.alterTable('scim_identity').addColumn('family_name', 'text').execute()
}
