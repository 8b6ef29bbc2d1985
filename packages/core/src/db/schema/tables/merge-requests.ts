/** Merge requests, their changes and approvals. */
export const mergeRequests = `
create table {merge_request} (
  id {ID},
  iid bigint not null,
  project_id bigint not null references {project} (id) on delete cascade,
  author_id bigint not null references {user} (id) on delete cascade,
  title text not null,
  description text,
  state text not null,
  source_branch text not null,
  target_branch text not null,
  discussion_locked boolean not null default false,
  milestone_id bigint references {milestone} (id) on delete set null,
  merge_status text not null,
  created_at text not null,
  updated_at text not null,
  merged_at text,
  merged_by_id bigint references {user} (id) on delete set null,
  closed_at text,
  closed_by_id bigint references {user} (id) on delete set null,
  squash boolean not null default false,
  remove_source_branch boolean not null default false,
  merge_commit_sha text,
  squash_commit_sha text,
  merge_error text,
  time_estimate integer not null default 0,
  total_time_spent integer not null default 0,
  merge_when_pipeline_succeeds boolean not null default false,
  auto_merge json,
  source_project_id bigint references {project} (id) on delete set null,
  allow_collaboration boolean not null default false,
  merge_after text,
  constraint merge_request_iid_key unique (project_id, iid)
);
create index {#merge_request_author} on {merge_request} (author_id);
create index {#merge_request_milestone} on {merge_request} (milestone_id);
create index {#merge_request_merged_by} on {merge_request} (merged_by_id);
create index {#merge_request_closed_by} on {merge_request} (closed_by_id);
create index {#merge_request_project_created_at} on {merge_request} (project_id, created_at, id);
create index {#merge_request_project_updated_at} on {merge_request} (project_id, updated_at, id);
create index {#merge_request_source_branch} on {merge_request} (project_id, source_branch, state);
create index {#merge_request_target_branch} on {merge_request} (project_id, target_branch, state);
create index {#merge_request_order_title} on {merge_request} (title, id);
create index {#merge_request_project_title} on {merge_request} (project_id, title, id);
create index {#merge_request_created_at} on {merge_request} (created_at, id);
create index {#merge_request_updated_at} on {merge_request} (updated_at, id);
create index {#merge_request_source} on {merge_request} (source_project_id, source_branch);

create table {merge_request_assignee} (
  merge_request_id bigint not null references {merge_request} (id) on delete cascade,
  user_id bigint not null references {user} (id) on delete cascade,
  constraint merge_request_assignee_pkey primary key (merge_request_id, user_id)
);
create index {#merge_request_assignee_user} on {merge_request_assignee} (user_id, merge_request_id);

create table {merge_request_reviewer} (
  merge_request_id bigint not null references {merge_request} (id) on delete cascade,
  user_id bigint not null references {user} (id) on delete cascade,
  created_at text not null,
  state text not null,
  constraint merge_request_reviewer_pkey primary key (merge_request_id, user_id)
);
create index {#merge_request_reviewer_user} on {merge_request_reviewer} (user_id);

create table {merge_request_label} (
  merge_request_id bigint not null references {merge_request} (id) on delete cascade,
  label_id bigint not null references {label} (id) on delete cascade,
  constraint merge_request_label_pkey primary key (merge_request_id, label_id)
);
create index {#merge_request_label_label} on {merge_request_label} (label_id, merge_request_id);

-- The last comparison of the branches of a merge request. It is outdated when a branch has moved.
create table {merge_request_check} (
  merge_request_id bigint primary key references {merge_request} (id) on delete cascade,
  source_sha text,
  target_sha text,
  has_conflicts boolean not null,
  is_behind boolean not null
);

-- The commit range of a merge request at one time; a new row for each changed range.
create table {merge_request_version} (
  id {ID},
  merge_request_id bigint not null references {merge_request} (id) on delete cascade,
  base_sha text not null,
  start_sha text not null,
  head_sha text not null,
  created_at text not null,
  changes_count text,
  constraint merge_request_version_ends unique (merge_request_id, base_sha, head_sha)
);

-- Commits of all versions of a merge request.
create table {merge_request_commit} (
  merge_request_id bigint not null references {merge_request} (id) on delete cascade,
  sha text not null,
  constraint merge_request_commit_pkey primary key (merge_request_id, sha)
);
create index {#merge_request_commit_sha} on {merge_request_commit} (sha);

-- The issues that a merge request closes, according to its title and description.
create table {merge_request_closing_issue} (
  merge_request_id bigint not null references {merge_request} (id) on delete cascade,
  issue_id bigint not null references {issue} (id) on delete cascade,
  constraint merge_request_closing_issue_pkey primary key (merge_request_id, issue_id)
);
create index {#merge_request_closing_issue_issue} on {merge_request_closing_issue} (issue_id);

create table {merge_request_approval} (
  merge_request_id bigint not null references {merge_request} (id) on delete cascade,
  user_id bigint not null references {user} (id) on delete cascade,
  created_at text not null,
  constraint merge_request_approval_pkey primary key (merge_request_id, user_id)
);
create index {#merge_request_approval_user} on {merge_request_approval} (user_id);

-- A number of approvals that merge requests of a project, or a single one, require.
create table {approval_rule} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  merge_request_id bigint references {merge_request} (id) on delete cascade,
  source_rule_id bigint references {approval_rule} (id) on delete cascade,
  name text not null,
  rule_type text not null,
  section text,
  approvals_required integer not null,
  applies_to_all_protected_branches boolean not null default false,
  created_at text not null,
  updated_at text not null
);
create index {#approval_rule_project} on {approval_rule} (project_id, merge_request_id, id);
create index {#approval_rule_merge_request} on {approval_rule} (merge_request_id, id);
create index {#approval_rule_source} on {approval_rule} (source_rule_id);

create table {approval_rule_user} (
  rule_id bigint not null references {approval_rule} (id) on delete cascade,
  user_id bigint not null references {user} (id) on delete cascade,
  constraint approval_rule_user_pkey primary key (rule_id, user_id)
);
create index {#approval_rule_user_target} on {approval_rule_user} (user_id);

create table {approval_rule_group} (
  rule_id bigint not null references {approval_rule} (id) on delete cascade,
  group_id bigint not null references {namespace} (id) on delete cascade,
  constraint approval_rule_group_pkey primary key (rule_id, group_id)
);
create index {#approval_rule_group_target} on {approval_rule_group} (group_id);

-- The protected branches that a rule of a project is for; without any, it is for all branches.
create table {approval_rule_branch} (
  rule_id bigint not null references {approval_rule} (id) on delete cascade,
  protected_reference_id bigint not null references {protected_reference} (id) on delete cascade,
  constraint approval_rule_branch_pkey primary key (rule_id, protected_reference_id)
);
create index {#approval_rule_branch_target} on {approval_rule_branch} (protected_reference_id);
`
