import { cascadeReference, type MigrationDatabase, notNull } from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema
    .createTable('project_repository')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('place', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .addPrimaryKeyConstraint('project_repository_pkey', ['project_id'])
    .addUniqueConstraint('project_repository_place', ['place'])
    .execute()
}
