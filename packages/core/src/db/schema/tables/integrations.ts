/** Webhooks and archives. */
export const integrations = `
-- A webhook of a project or a group, or a system hook, which belongs to neither.
create table {hook} (
  id {ID},
  scope text not null,
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  name text,
  description text,
  uuid text not null,
  url text not null,
  shown_url text not null,
  sealed_secrets text,
  header_names json not null,
  variable_names json not null,
  custom_webhook_template text,
  events json not null,
  push_events_branch_filter text not null,
  branch_filter_strategy text not null default 'wildcard',
  enable_ssl_verification boolean not null default true,
  site_url text,
  failures bigint not null,
  retry_at text,
  created_at text not null,
  updated_at text not null,
  minute text,
  minute_count bigint not null default 0,
  limited_minutes bigint not null default 0
);
create index {#hook_scope} on {hook} (scope, id);
create index {#hook_project} on {hook} (project_id);
create index {#hook_group} on {hook} (group_id);

-- An event that at least one hook receives.
create table {hook_event} (
  id {ID},
  kind text not null,
  payload json not null,
  is_complete boolean not null default false,
  created_at text not null
);
create index {#hook_event_age} on {hook_event} (created_at, id);

-- A request to a hook: pending, or sent and kept as a log.
create table {hook_delivery} (
  id {ID},
  hook_id bigint not null references {hook} (id) on delete cascade,
  event_id bigint not null references {hook_event} (id) on delete cascade,
  idempotency_key text not null,
  state text not null,
  attempts bigint not null,
  result json,
  response_status bigint,
  chain text not null default '',
  chain_call text
);
create index {#hook_delivery_queue} on {hook_delivery} (hook_id, id) where state = 'pending';
create index {#hook_delivery_log} on {hook_delivery} (hook_id, id);
create index {#hook_delivery_event} on {hook_delivery} (event_id);
create index {#hook_delivery_chain} on {hook_delivery} (chain, hook_id);

-- The last export of a project or a group. Its archive stays available while a newer one is created.
create table {archive_export} (
  id {ID},
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  user_id bigint references {user} (id) on delete set null,
  status text not null,
  error text,
  storage_key text,
  created_at text not null,
  description text,
  size bigint,
  finished_at text,
  expires_at text
);
create unique index {#archive_export_project} on {archive_export} (project_id);
create unique index {#archive_export_group} on {archive_export} (group_id);
create index {#archive_export_user} on {archive_export} (user_id);
create index {#archive_export_storage_key} on {archive_export} (storage_key);
create index {#archive_export_expires} on {archive_export} (expires_at);

create table {archive_import} (
  id {ID},
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  user_id bigint references {user} (id) on delete set null,
  status text not null,
  error text,
  storage_key text,
  created_at text not null,
  correlation_id text not null,
  options json not null
);
create unique index {#archive_import_project} on {archive_import} (project_id);
create unique index {#archive_import_group} on {archive_import} (group_id);
create index {#archive_import_user} on {archive_import} (user_id);
create index {#archive_import_storage_key} on {archive_import} (storage_key);
`
