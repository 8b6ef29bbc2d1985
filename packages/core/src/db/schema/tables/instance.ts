/** The instance: settings, queues and what processes share. */
export const instance = `
-- A setting that was changed; all others have their defaults.
create table {application_setting} (
  name text primary key,
  value text not null,
  updated_at text not null
);

-- A secret setting. Stored in a separate table, so that queries of the other settings cannot return it.
create table {application_secret} (
  name text primary key,
  sealed text not null,
  updated_at text not null
);

-- At most one row, with the id 1.
create table {appearance} (
  id integer primary key,
  email_header_and_footer_enabled boolean not null default false,
  updated_at text not null,
  title text not null,
  description text not null,
  pwa_name text not null,
  pwa_short_name text not null,
  pwa_description text not null,
  logo text,
  header_logo text,
  favicon text,
  pwa_icon text,
  new_project_guidelines text not null,
  profile_image_guidelines text not null,
  member_guidelines text not null,
  header_message text not null,
  footer_message text not null,
  message_background_color text not null,
  message_font_color text not null
);

create table {appearance_picture} (
  name text primary key,
  file_name text not null,
  media_type text not null,
  content {BLOB} not null
);

create table {broadcast_message} (
  id {ID},
  message text not null,
  starts_at text not null,
  ends_at text not null,
  broadcast_type text not null,
  theme text not null,
  color text not null default '#E75E40',
  font text not null default '#FFFFFF',
  dismissable boolean not null default false,
  target_path text,
  target_access_levels json not null,
  created_at text not null
);

create table {instance_feature} (
  id {ID},
  name text not null,
  enabled boolean not null default false,
  percentage_of_actors integer,
  percentage_of_time integer,
  actors json not null,
  feature_groups json not null,
  created_at text not null,
  constraint instance_feature_name_key unique (name)
);

create table {replica_node} (
  id {ID},
  name text not null,
  url text not null,
  internal_url text,
  "primary" boolean not null default false,
  enabled boolean not null default true,
  files_max_capacity integer not null,
  repos_max_capacity integer not null,
  verification_max_capacity integer not null,
  container_repositories_max_capacity integer not null,
  sync_object_storage boolean not null default false,
  selective_sync_type text,
  selective_sync_shards json not null,
  selective_sync_namespace_ids json not null,
  minimum_reverification_interval integer not null,
  status json,
  status_at text,
  created_at text not null,
  updated_at text not null
);
create unique index {#replica_node_name_key} on {replica_node} (lower(name));

create table {rate_limit} (
  key text primary key,
  hits json not null,
  expires_at text not null
);
create index {#rate_limit_expired} on {rate_limit} (expires_at);

create table {job} (
  id {ID},
  kind text not null,
  key text,
  payload json not null,
  state text not null,
  run_after text not null,
  attempts integer not null default 0,
  lease_until text,
  last_error text,
  created_at text not null,
  destination text,
  claimed_by text,
  hook_chain json,
  requested_again boolean not null default false
);
create unique index {#job_key} on {job} (kind, key);
create index {#job_due} on {job} (state, run_after);
create index {#job_lane} on {job} (kind, state, run_after);

-- Domain events that were committed with events: true. Rows are deleted after a time.
create table {signal_outbox} (
  id {ID},
  name text not null,
  payload text not null,
  created_at text not null
);

-- How far each named consumer has received the events. The row with an empty name contains the last deleted event.
create table {signal_consumer} (
  name text primary key,
  position bigint not null,
  updated_at text not null
);

-- Who changed what. References nothing: an event stays when its author and its entity are removed.
create table {audit_event} (
  id {ID},
  author_id bigint,
  entity_type text not null,
  entity_id bigint not null,
  event_name text not null,
  details json not null,
  created_at text not null
);
create index {#audit_event_created_at} on {audit_event} (created_at, id);
create index {#audit_event_entity} on {audit_event} (entity_type, entity_id, created_at, id);
create index {#audit_event_author} on {audit_event} (author_id, entity_type, entity_id, created_at, id);

create table {instance_key} (
  name text primary key,
  sealed text not null,
  created_at text not null
);
`
