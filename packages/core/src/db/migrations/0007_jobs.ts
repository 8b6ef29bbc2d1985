import { createTableWithId, type MigrationDatabase, notNull } from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'job')
    .addColumn('kind', 'text', notNull)
    .addColumn('key', 'text')
    .addColumn('payload', 'json', notNull)
    .addColumn('state', 'text', notNull)
    .addColumn('run_after', 'text', notNull)
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('lease_until', 'text')
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'text', notNull)
    .execute()
  await db.schema.createIndex('job_key').unique().on('job').columns(['kind', 'key']).execute()
  await db.schema.createIndex('job_due').on('job').columns(['state', 'run_after']).execute()
}
