import { sql } from 'kysely'
import type { MigrationDatabase } from '../schema/columns.ts'

/** Adds the manual order of the issues of a project. An issue that was never moved is ordered by its id. */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema.alterTable('issue').addColumn('relative_position', 'bigint').execute()
  await db.schema
    .createIndex('issue_project_position')
    .on('issue')
    .column('project_id')
    .column(sql`coalesce(relative_position, id * 1048576)`)
    .column('id')
    .execute()
}
