import {
  cascadeReference,
  createTableWithId,
  defaultTrue,
  type MigrationDatabase,
  notNull,
  setNullReference,
} from '../schema/columns.ts'

/** Adds trigger tokens and schedules, which create pipelines. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'pipeline_trigger')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('owner_id', 'bigint', cascadeReference('user'))
    .addColumn('description', 'text', notNull)
    .addColumn('digest', 'text', notNull)
    .addColumn('short_token', 'text', notNull)
    .addColumn('expires_at', 'text')
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .addColumn('last_used', 'text')
    .execute()
  await db.schema.createIndex('pipeline_trigger_digest').unique().on('pipeline_trigger').column('digest').execute()
  await createTableWithId(db, 'pipeline_schedule')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('owner_id', 'bigint', setNullReference('user'))
    .addColumn('description', 'text', notNull)
    .addColumn('ref', 'text', notNull)
    .addColumn('cron', 'text', notNull)
    .addColumn('cron_timezone', 'text', notNull)
    .addColumn('active', 'boolean', defaultTrue)
    .addColumn('next_run_at', 'text')
    .addColumn('sealed_variables', 'text')
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .execute()
  for (const table of ['pipeline_trigger', 'pipeline_schedule']) {
    await db.schema.createIndex(`${table}_project`).on(table).columns(['project_id', 'id']).execute()
    await db.schema.createIndex(`${table}_owner`).on(table).column('owner_id').execute()
  }
  await db.schema
    .createTable('pipeline_schedule_run')
    .addColumn('schedule_id', 'bigint', cascadeReference('pipeline_schedule'))
    .addColumn('pipeline_id', 'bigint', cascadeReference('pipeline'))
    .addPrimaryKeyConstraint('pipeline_schedule_run_pkey', ['schedule_id', 'pipeline_id'])
    .execute()
  await db.schema
    .createIndex('pipeline_schedule_run_pipeline')
    .on('pipeline_schedule_run')
    .column('pipeline_id')
    .execute()
}
