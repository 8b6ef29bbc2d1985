import { defaultFalse, type MigrationDatabase } from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema.alterTable('personal_access_token').addColumn('impersonation', 'boolean', defaultFalse).execute()
  await db.schema.createIndex('ssh_key_deploy').on('ssh_key').columns(['deploy', 'id']).execute()
}
