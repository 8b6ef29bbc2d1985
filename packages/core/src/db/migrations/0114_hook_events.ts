import { sql } from 'kysely'
import {
  cascadeReference,
  createTableWithId,
  defaultFalse,
  type MigrationDatabase,
  notNull,
} from '../schema/columns.ts'

/** Columns of the former deliveries that the new ones have as well. */
const copied = ['hook_id', 'idempotency_key', 'state', 'attempts', 'result'] as const

const createEvents = (db: MigrationDatabase) =>
  createTableWithId(db, 'hook_event')
    .addColumn('kind', 'text', notNull)
    .addColumn('uuid', 'text', notNull)
    .addColumn('payload', 'json', notNull)
    .addColumn('is_complete', 'boolean', defaultFalse)
    .addColumn('created_at', 'text', notNull)
    // Only for the copy.
    .addColumn('hook_id', 'bigint')
    .addColumn('idempotency_key', 'text')
    .addColumn('state', 'text')
    .addColumn('attempts', 'bigint')
    .addColumn('result', 'json')
    .execute()

const createDeliveries = (db: MigrationDatabase) =>
  createTableWithId(db, 'hook_delivery')
    .addColumn('hook_id', 'bigint', cascadeReference('hook'))
    .addColumn('event_id', 'bigint', cascadeReference('hook_event'))
    .addColumn('idempotency_key', 'text', notNull)
    .addColumn('state', 'text', notNull)
    .addColumn('attempts', 'bigint', notNull)
    .addColumn('result', 'json')
    .execute()

/**
 * Moves the payloads of deliveries to events, so that an event for many hooks is stored once, and a result does not write the
 * payload again. Existing deliveries get an event each, and new ids in the same order.
 */
export async function up(db: MigrationDatabase): Promise<void> {
  await createEvents(db)
  await db
    .insertInto('hook_event')
    .columns(['kind', 'uuid', 'payload', 'is_complete', 'created_at', ...copied])
    .expression((eb) =>
      eb
        .selectFrom('hook_delivery')
        .orderBy('id')
        .select((eb) => [
          'kind',
          'event_uuid',
          'payload',
          eb('attempts', '>', 0).as('is_complete'),
          'created_at',
          ...copied,
        ]),
    )
    .execute()
  await db.schema.dropTable('hook_delivery').execute()
  await createDeliveries(db)
  await db
    .insertInto('hook_delivery')
    .columns(['event_id', ...copied])
    .expression((eb) =>
      eb
        .selectFrom('hook_event')
        .orderBy('id')
        .select(['id', ...copied]),
    )
    .execute()
  for (const column of copied) await db.schema.alterTable('hook_event').dropColumn(column).execute()
  await db.schema
    .createIndex('hook_delivery_queue')
    .on('hook_delivery')
    .columns(['hook_id', 'id'])
    .where(sql.ref('state'), '=', 'pending')
    .execute()
  await db.schema.createIndex('hook_delivery_log').on('hook_delivery').columns(['hook_id', 'id']).execute()
  await db.schema.createIndex('hook_delivery_event').on('hook_delivery').column('event_id').execute()
  await db.schema.createIndex('hook_event_age').on('hook_event').columns(['created_at', 'id']).execute()
}
