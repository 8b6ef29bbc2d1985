import { required, type Schema, table } from '../columns.ts'

export async function up(db: Schema): Promise<void> {
  await table(db, 'job')
    .addColumn('kind', 'text', required)
    .addColumn('key', 'text')
    .addColumn('payload', 'json', required)
    .addColumn('state', 'text', required)
    .addColumn('run_after', 'text', required)
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('lease_until', 'text')
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'text', required)
    .execute()
  await db.schema.createIndex('job_key').unique().on('job').columns(['kind', 'key']).execute()
  await db.schema.createIndex('job_due').on('job').columns(['state', 'run_after']).execute()
}
