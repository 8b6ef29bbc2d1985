/** Repositories and their references, wikis and releases. Git data itself is not in the database. */
export const repositories = `
-- Repositories by project.
create table {project_repository} (
  project_id bigint not null references {project} (id) on delete cascade,
  place text not null,
  created_at text not null,
  constraint project_repository_pkey primary key (project_id),
  constraint project_repository_place unique (place)
);

-- The projects whose repository a process is changing.
create table {repository_lock} (
  project_id bigint primary key references {project} (id) on delete cascade,
  owner text not null,
  beat bigint not null
);

-- Changes of references that git is making, until they are recorded.
create table {reference_change} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  user_id bigint references {user} (id) on delete set null,
  moves json not null,
  cause json,
  created_at text not null,
  push_options json
);
create index {#reference_change_project} on {reference_change} (project_id, id);
create index {#reference_change_user} on {reference_change} (user_id);

-- The protection of the branches or tags of a project with a name, or with the names that a pattern matches.
create table {protected_reference} (
  id {ID},
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  kind text not null,
  name text not null,
  allow_force_push boolean not null default false,
  code_owner_approval_required boolean not null default false,
  created_at text not null
);
create unique index {#protected_reference_name} on {protected_reference} (project_id, kind, name);
create unique index {#protected_reference_group_name} on {protected_reference} (group_id, kind, name);

-- Who may do something with a protected branch or tag: exactly one of an access level, a user, a group and a deploy key.
create table {protected_reference_grant} (
  id {ID},
  protected_reference_id bigint not null references {protected_reference} (id) on delete cascade,
  action text not null,
  access_level integer,
  user_id bigint references {user} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  deploy_key_id bigint references {ssh_key} (id) on delete cascade
);
create index {#protected_reference_grant_protected_reference_id} on {protected_reference_grant} (protected_reference_id);
create index {#protected_reference_grant_user_id} on {protected_reference_grant} (user_id);
create index {#protected_reference_grant_group_id} on {protected_reference_grant} (group_id);
create index {#protected_reference_grant_deploy_key_id} on {protected_reference_grant} (deploy_key_id);

-- The push rule of exactly one of a project and a group.
create table {push_rule} (
  id {ID},
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  max_file_size integer not null,
  created_at text not null,
  commit_message_regex text not null,
  commit_message_negative_regex text not null,
  branch_name_regex text not null,
  author_email_regex text not null,
  file_name_regex text not null,
  deny_delete_tag boolean not null default false,
  member_check boolean not null default false,
  prevent_secrets boolean not null default false,
  commit_committer_check boolean not null default false,
  commit_committer_name_check boolean not null default false,
  reject_unsigned_commits boolean not null default false,
  reject_non_dco_commits boolean not null default false,
  constraint push_rule_project_key unique (project_id),
  constraint push_rule_group_key unique (group_id)
);

create table {remote_mirror} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  enabled boolean not null default false,
  url text not null,
  shown_url text not null,
  sealed_credentials text,
  only_protected_branches boolean not null default false,
  keep_divergent_refs boolean not null default false,
  mirror_branch_regex text,
  update_status text not null,
  last_update_at text,
  last_update_started_at text,
  last_successful_update_at text,
  last_error text,
  failure_count integer not null,
  next_update_at text,
  requested_at text,
  created_at text not null,
  updated_at text not null
);
create index {#remote_mirror_project} on {remote_mirror} (project_id, id);

-- A comment on a commit. The repository may lose the commit; the comment remains.
create table {commit_comment} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  sha text not null,
  author_id bigint not null references {user} (id) on delete cascade,
  note text not null,
  path text,
  line bigint,
  line_type text,
  created_at text not null,
  discussion bigint,
  position json,
  updated_at text not null default ''
);
create index {#commit_comment_project_sha} on {commit_comment} (project_id, sha, id);
create index {#commit_comment_author} on {commit_comment} (author_id);

-- A page of the wiki of exactly one of a project and a group.
create table {wiki_page} (
  id {ID},
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  slug text not null,
  title text not null,
  format text not null,
  content text not null,
  created_at text not null,
  updated_at text not null,
  constraint wiki_page_project_key unique (project_id, slug),
  constraint wiki_page_group_key unique (group_id, slug)
);

-- Counts of the contributors of long histories.
create table {contributor_count} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  commit_id text not null,
  commits bigint not null,
  is_complete boolean not null default false,
  created_at text not null
);
create unique index {#contributor_count_commit} on {contributor_count} (project_id, commit_id);

-- Fetches with git over HTTP, by day.
create table {project_fetch} (
  project_id bigint not null references {project} (id) on delete cascade,
  date text not null,
  count bigint not null,
  constraint project_fetch_key primary key (project_id, date)
);

-- Signatures of commits and tags that were verified: they stay so after the removal of their keys.
create table {verified_signature} (
  project_id bigint not null references {project} (id) on delete cascade,
  object_id text not null,
  gpg_key_id bigint references {gpg_key} (id) on delete set null,
  gpg_subkey_id bigint references {gpg_subkey} (id) on delete set null,
  primary_key_id text,
  user_name text,
  user_email text,
  constraint verified_signature_key primary key (project_id, object_id)
);
create index {#verified_signature_gpg_key} on {verified_signature} (gpg_key_id);
create index {#verified_signature_gpg_subkey} on {verified_signature} (gpg_subkey_id);

-- The commit of the default branch whose languages were counted, and the languages by their share in percent.
create table {language_count} (
  project_id bigint primary key references {project} (id) on delete cascade,
  commit_id text not null
);
create table {project_language} (
  project_id bigint not null references {project} (id) on delete cascade,
  name text not null,
  name_key text not null,
  share double precision not null,
  position bigint not null,
  constraint project_language_key primary key (project_id, position)
);
create index {#project_language_name} on {project_language} (name_key, project_id);

create table {contributor} (
  count_id bigint not null references {contributor_count} (id) on delete cascade,
  email text not null,
  name text not null,
  email_key text not null,
  name_key text not null,
  commits bigint not null,
  additions bigint not null,
  deletions bigint not null,
  constraint contributor_key primary key (count_id, email)
);
create index {#contributor_commits} on {contributor} (count_id, commits);
create index {#contributor_name_key} on {contributor} (count_id, name_key);
create index {#contributor_email_key} on {contributor} (count_id, email_key);

create table {release} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  tag text not null,
  name text not null,
  description text,
  sha text,
  author_id bigint references {user} (id) on delete set null,
  released_at text not null,
  created_at text not null,
  updated_at text not null,
  constraint release_tag unique (project_id, tag)
);
create index {#release_project_released_at} on {release} (project_id, released_at, id);
create index {#release_project_created_at} on {release} (project_id, created_at, id);
create index {#release_author} on {release} (author_id);

create table {release_link} (
  id {ID},
  release_id bigint not null references {release} (id) on delete cascade,
  name text not null,
  url text not null,
  link_type text not null,
  filepath text,
  constraint release_link_name unique (release_id, name),
  constraint release_link_url unique (release_id, url)
);

create table {release_milestone} (
  release_id bigint not null references {release} (id) on delete cascade,
  milestone_id bigint not null references {milestone} (id) on delete cascade,
  constraint release_milestone_pkey primary key (release_id, milestone_id)
);
create index {#release_milestone_milestone} on {release_milestone} (milestone_id);

create table {release_evidence} (
  id {ID},
  release_id bigint not null references {release} (id) on delete cascade,
  sha text not null,
  data text not null,
  collected_at text not null
);
create index {#release_evidence_release} on {release_evidence} (release_id, id);
`
