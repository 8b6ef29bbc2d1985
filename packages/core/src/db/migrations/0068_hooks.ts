import {
  cascadeReference,
  createTableWithId,
  defaultTrue,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
} from '../schema/columns.ts'

/** Webhooks, and their deliveries, which are both the queue of outgoing requests and the log of sent ones. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'hook')
    .addColumn('scope', 'text', notNull)
    .addColumn('project_id', 'bigint', optionalCascadeReference('project'))
    .addColumn('group_id', 'bigint', optionalCascadeReference('namespace'))
    .addColumn('uuid', 'text', notNull)
    .addColumn('url', 'text', notNull)
    .addColumn('shown_url', 'text', notNull)
    .addColumn('sealed_secrets', 'text')
    .addColumn('header_names', 'json', notNull)
    .addColumn('events', 'json', notNull)
    .addColumn('push_events_branch_filter', 'text', notNull)
    .addColumn('enable_ssl_verification', 'boolean', defaultTrue)
    .addColumn('site_url', 'text')
    .addColumn('failures', 'bigint', notNull)
    .addColumn('retry_at', 'text')
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .execute()
  await db.schema.createIndex('hook_scope').on('hook').columns(['scope', 'id']).execute()
  await db.schema.createIndex('hook_project').on('hook').column('project_id').execute()
  await db.schema.createIndex('hook_group').on('hook').column('group_id').execute()
  await createTableWithId(db, 'hook_delivery')
    .addColumn('hook_id', 'bigint', cascadeReference('hook'))
    .addColumn('kind', 'text', notNull)
    .addColumn('event_uuid', 'text', notNull)
    .addColumn('idempotency_key', 'text', notNull)
    .addColumn('payload', 'json', notNull)
    .addColumn('state', 'text', notNull)
    .addColumn('attempts', 'bigint', notNull)
    .addColumn('result', 'json')
    .addColumn('created_at', 'text', notNull)
    .execute()
  await db.schema.createIndex('hook_delivery_queue').on('hook_delivery').columns(['hook_id', 'state', 'id']).execute()
  await db.schema.createIndex('hook_delivery_log').on('hook_delivery').columns(['hook_id', 'id']).execute()
  await db.schema.createIndex('hook_delivery_age').on('hook_delivery').columns(['created_at', 'id']).execute()
}
