import { owned, required, type Schema } from '../columns.ts'

export async function up(db: Schema): Promise<void> {
  await db.schema
    .createTable('project_repository')
    .addColumn('project_id', 'bigint', owned('project'))
    .addColumn('place', 'text', required)
    .addColumn('created_at', 'text', required)
    .addPrimaryKeyConstraint('project_repository_pkey', ['project_id'])
    .addUniqueConstraint('project_repository_place', ['place'])
    .execute()
}
