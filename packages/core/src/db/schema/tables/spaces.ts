/** Namespaces and projects, and what describes both. */
export const spaces = `
-- Groups and personal namespaces of users. Both contain projects and share ids and paths.
create table {namespace} (
  id {ID},
  kind text not null,
  parent_id bigint references {namespace} (id) on delete cascade,
  owner_id bigint references {user} (id) on delete cascade,
  name text not null,
  path text not null,
  full_name text not null,
  full_path text not null,
  description text not null default '',
  visibility text not null,
  request_access_enabled boolean not null default true,
  avatar_url text,
  created_at text not null,
  updated_at text not null,
  share_with_group_lock boolean not null default false,
  project_creation_level text not null default 'developer',
  subgroup_creation_level text not null default 'owner',
  settings json,
  importer_id bigint,
  archived boolean not null default false,
  archived_with_id bigint references {namespace} (id) on delete set null,
  marked_for_deletion_on text,
  constraint namespace_owner_key unique (owner_id)
);
create unique index {#namespace_full_path_key} on {namespace} (lower(full_path));
create index {#namespace_parent} on {namespace} (parent_id);
create index {#namespace_name} on {namespace} (kind, name);
create index {#namespace_archived_with} on {namespace} (archived_with_id);
create index {#namespace_marked} on {namespace} (marked_for_deletion_on) where marked_for_deletion_on is not null;

-- Closure table: each namespace with itself (depth 0) and its ancestors (1 is the parent).
create table {namespace_lineage} (
  namespace_id bigint not null references {namespace} (id) on delete cascade,
  ancestor_id bigint not null references {namespace} (id) on delete cascade,
  depth integer not null,
  constraint namespace_lineage_pkey primary key (namespace_id, ancestor_id)
);
create index {#namespace_lineage_ancestor} on {namespace_lineage} (ancestor_id);

create table {project} (
  id {ID},
  namespace_id bigint not null references {namespace} (id) on delete cascade,
  creator_id bigint references {user} (id) on delete set null,
  name text not null,
  path text not null,
  full_path text not null,
  description text,
  visibility text not null,
  archived boolean not null default false,
  default_branch text not null,
  request_access_enabled boolean not null default true,
  issues_access_level text not null,
  merge_requests_access_level text not null,
  repository_access_level text not null,
  snippets_access_level text not null,
  avatar_url text,
  created_at text not null,
  updated_at text not null,
  last_activity_at text not null,
  forked_from_id bigint references {project} (id) on delete set null,
  empty_repo boolean not null default true,
  has_security_reports boolean not null default false,
  settings json,
  pipeline_readers text not null default 'everyone',
  restricted_features json,
  importer_id bigint,
  runners_token text,
  archived_with_id bigint references {namespace} (id) on delete set null,
  marked_for_deletion_on text
);
create unique index {#project_runners_token} on {project} (runners_token);
create unique index {#project_full_path_key} on {project} (lower(full_path));
create index {#project_namespace} on {project} (namespace_id, created_at);
create index {#project_creator} on {project} (creator_id);
create index {#project_visibility} on {project} (visibility);
create index {#project_issues} on {project} (issues_access_level);
create index {#project_forked_from} on {project} (forked_from_id);
create index {#project_created_at} on {project} (created_at, id);
create index {#project_updated_at} on {project} (updated_at, id);
create index {#project_last_activity_at} on {project} (last_activity_at, id);
create index {#project_name} on {project} (name, id);
create index {#project_path} on {project} (path, id);
create index {#project_archived_with} on {project} (archived_with_id);
create index {#project_marked} on {project} (marked_for_deletion_on) where marked_for_deletion_on is not null;
create index {#project_importer} on {project} (importer_id) where importer_id is not null;

-- The last assigned internal id (iid) per kind in a project or group.
create table {internal_id} (
  kind text not null,
  owner_id bigint not null,
  last integer not null,
  constraint internal_id_pkey primary key (kind, owner_id)
);

create table {earlier_path} (
  path text not null,
  namespace_id bigint references {namespace} (id) on delete cascade,
  project_id bigint references {project} (id) on delete cascade,
  constraint earlier_path_pkey primary key (path)
);
create index {#earlier_path_namespace} on {earlier_path} (namespace_id);
create index {#earlier_path_project} on {earlier_path} (project_id);

create table {project_star} (
  project_id bigint not null references {project} (id) on delete cascade,
  user_id bigint not null references {user} (id) on delete cascade,
  created_at text not null,
  constraint project_star_pkey primary key (project_id, user_id)
);
create index {#project_star_user} on {project_star} (user_id, project_id);

-- Storage sizes of a project, as measured by the host, and the number of commits of its default branch.
create table {project_size} (
  project_id bigint not null references {project} (id) on delete cascade,
  repository_size bigint not null,
  wiki_size bigint not null,
  lfs_objects_size bigint not null,
  job_artifacts_size bigint not null,
  packages_size bigint not null,
  snippets_size bigint not null default 0,
  container_registry_size bigint not null default 0,
  commit_count bigint not null default 0,
  constraint project_size_pkey primary key (project_id)
);

create table {topic} (
  id {ID},
  name text not null,
  title text not null,
  description text,
  avatar_url text,
  created_at text not null
);
create unique index {#topic_name_key} on {topic} (lower(name));

-- The topics of projects. Projects list their names in the setting tag_list, which reactions copy here.
create table {project_topic} (
  project_id bigint not null references {project} (id) on delete cascade,
  topic_id bigint not null references {topic} (id) on delete cascade,
  constraint project_topic_key primary key (project_id, topic_id)
);
create index {#project_topic_topic} on {project_topic} (topic_id, project_id);

-- The uploaded picture of exactly one user, project or group.
create table {avatar} (
  id {ID},
  user_id bigint references {user} (id) on delete cascade,
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  topic_id bigint references {topic} (id) on delete cascade,
  file_name text not null,
  media_type text not null,
  content {BLOB} not null
);
create unique index {#avatar_user_id} on {avatar} (user_id);
create unique index {#avatar_project_id} on {avatar} (project_id);
create unique index {#avatar_group_id} on {avatar} (group_id);
create unique index {#avatar_topic_id} on {avatar} (topic_id);

create table {pull_mirror} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  enabled boolean not null,
  url text,
  shown_url text,
  sealed_credentials text,
  user_id bigint references {user} (id) on delete set null,
  trigger_builds boolean not null,
  only_protected_branches boolean,
  branch_regex text,
  overwrites_diverged_branches boolean not null,
  update_status text not null,
  last_error text,
  last_update_at text,
  last_update_started_at text,
  last_successful_update_at text,
  failure_count integer not null,
  next_update_at text,
  created_at text not null,
  updated_at text not null
);
create unique index {#pull_mirror_project_id} on {pull_mirror} (project_id);
create index {#pull_mirror_user_id} on {pull_mirror} (user_id);

-- A custom attribute of exactly one of a user, a group and a project.
create table {custom_attribute} (
  id {ID},
  user_id bigint references {user} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  project_id bigint references {project} (id) on delete cascade,
  key text not null,
  value text not null,
  constraint custom_attribute_user_key unique (user_id, key),
  constraint custom_attribute_group_key unique (group_id, key),
  constraint custom_attribute_project_key unique (project_id, key)
);

create table {badge} (
  id {ID},
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  name text,
  link_url text not null,
  image_url text not null,
  created_at text not null
);
create index {#badge_project} on {badge} (project_id, id);
create index {#badge_group} on {badge} (group_id, id);
`
