import { sql } from 'kysely'
import { isPostgres, type MigrationDatabase } from '../schema/columns.ts'

/** Who can see the pipelines of a project, which follows from two of its settings. */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema
    .alterTable('project')
    .addColumn('pipeline_readers', 'text', (column) => column.notNull().defaultTo('everyone'))
    .execute()
  const read = (name: string) =>
    isPostgres(db) ? sql`settings ->> ${sql.lit(name)}` : sql`json_extract(settings, ${sql.lit(`$.${name}`)})`
  const level = read('buildsAccessLevel')
  const isHidden = isPostgres(db) ? sql`${read('publicJobs')} = 'false'` : sql`${read('publicJobs')} = 0`
  await db
    .updateTable('project')
    .set({
      pipeline_readers: sql`case when ${level} = 'disabled' then 'nobody' when ${isHidden} then 'reporters'
        when ${level} = 'private' then 'members' else 'everyone' end`,
    })
    .where('settings', 'is not', null)
    .execute()
}
