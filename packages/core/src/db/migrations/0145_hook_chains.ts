import type { ColumnDefinitionBuilder } from 'kysely'
import type { MigrationDatabase } from '../schema/columns.ts'

const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

/** Chains of requests of webhooks, and the number of requests of a hook in a minute. */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema
    .alterTable('hook_delivery')
    .addColumn('chain', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema.alterTable('hook_delivery').addColumn('chain_call', 'text').execute()
  await db
    .updateTable('hook_delivery')
    .set((eb) => ({
      chain: eb
        .selectFrom('hook_event')
        .whereRef('hook_event.id', '=', 'hook_delivery.event_id')
        .select('hook_event.uuid'),
    }))
    .execute()
  await db.schema.createIndex('hook_delivery_chain').on('hook_delivery').columns(['chain', 'hook_id']).execute()
  await db.schema.alterTable('hook_event').dropColumn('uuid').execute()
  await db.schema.alterTable('hook').addColumn('minute', 'text').execute()
  await db.schema.alterTable('hook').addColumn('minute_count', 'bigint', zero).execute()
  await db.schema.alterTable('hook').addColumn('limited_minutes', 'bigint', zero).execute()
  await db.schema.alterTable('job').addColumn('hook_chain', 'json').execute()
}
