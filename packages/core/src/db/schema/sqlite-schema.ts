/**
 * The schema of a new SQLite database with a prefix of its names. The migrations create the same one, but take ten times as
 * long, because SQLite parses the whole schema again after each change of a table. Generated from the migrations by
 * `pnpm docs:reference`; a test checks that it is up to date.
 */
export const createSqliteSchema = (prefix: string): string => `
CREATE TABLE "${prefix}user" (
  "id" integer primary key autoincrement,
  "username" text not null,
  "name" text not null,
  "email" text not null,
  "state" text not null,
  "admin" boolean default false not null,
  "external" boolean default false not null,
  "private_profile" boolean default false not null,
  "avatar_url" text,
  "created_at" text not null,
  "updated_at" text not null,
  "bio" text default '' not null,
  "location" text default '' not null,
  "public_email" text default '' not null,
  "skype" text default '' not null,
  "linkedin" text default '' not null,
  "twitter" text default '' not null,
  "website_url" text default '' not null,
  "organization" text default '' not null,
  "last_sign_in_at" text,
  "current_sign_in_at" text,
  "confirmed_at" text,
  "last_activity_on" text,
  "theme_id" integer default 1 not null,
  "color_scheme_id" integer default 1 not null,
  "projects_limit" integer default 100000 not null,
  "shared_runners_minutes_limit" integer,
  "extra_shared_runners_minutes_limit" integer,
  "can_create_group" boolean default true not null,
  "two_factor_enabled" boolean default false not null,
  "bot" boolean default false not null
);
CREATE UNIQUE INDEX "${prefix}user_username_key" on "${prefix}user" (lower("username"));
CREATE UNIQUE INDEX "${prefix}user_email_key" on "${prefix}user" (lower("email"));
CREATE TABLE "${prefix}personal_access_token" (
  "id" integer primary key autoincrement,
  "user_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "name" text not null,
  "digest" text not null,
  "scopes" json not null,
  "expires_at" text,
  "revoked_at" text,
  "created_at" text not null,
  "impersonation" boolean default false not null,
  "last_used_at" text,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "family_id" bigint,
  constraint "personal_access_token_digest_key" unique ("digest")
);
CREATE INDEX "${prefix}personal_access_token_user" on "${prefix}personal_access_token" ("user_id");
CREATE TABLE "${prefix}namespace" (
  "id" integer primary key autoincrement,
  "kind" text not null,
  "parent_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "owner_id" bigint references "${prefix}user" ("id") on delete cascade,
  "name" text not null,
  "path" text not null,
  "full_name" text not null,
  "full_path" text not null,
  "description" text default '' not null,
  "visibility" text not null,
  "request_access_enabled" boolean default true not null,
  "avatar_url" text,
  "created_at" text not null,
  "updated_at" text not null,
  "share_with_group_lock" boolean default false not null,
  "project_creation_level" text default 'developer' not null,
  "subgroup_creation_level" text default 'owner' not null,
  "settings" json,
  "importer_id" bigint,
  constraint "namespace_owner_key" unique ("owner_id")
);
CREATE UNIQUE INDEX "${prefix}namespace_full_path_key" on "${prefix}namespace" (lower("full_path"));
CREATE INDEX "${prefix}namespace_parent" on "${prefix}namespace" ("parent_id");
CREATE INDEX "${prefix}namespace_name" on "${prefix}namespace" ("kind", "name");
CREATE TABLE "${prefix}namespace_lineage" (
  "namespace_id" bigint not null references "${prefix}namespace" ("id") on delete cascade,
  "ancestor_id" bigint not null references "${prefix}namespace" ("id") on delete cascade,
  "depth" integer not null,
  constraint "namespace_lineage_pkey" primary key ("namespace_id", "ancestor_id")
);
CREATE INDEX "${prefix}namespace_lineage_ancestor" on "${prefix}namespace_lineage" ("ancestor_id");
CREATE TABLE "${prefix}internal_id" (
  "kind" text not null,
  "owner_id" bigint not null,
  "last" integer not null,
  constraint "internal_id_pkey" primary key ("kind", "owner_id")
);
CREATE TABLE "${prefix}project" (
  "id" integer primary key autoincrement,
  "namespace_id" bigint not null references "${prefix}namespace" ("id") on delete cascade,
  "creator_id" bigint references "${prefix}user" ("id") on delete set null,
  "name" text not null,
  "path" text not null,
  "full_path" text not null,
  "description" text,
  "visibility" text not null,
  "archived" boolean default false not null,
  "default_branch" text not null,
  "request_access_enabled" boolean default true not null,
  "issues_access_level" text not null,
  "merge_requests_access_level" text not null,
  "repository_access_level" text not null,
  "snippets_access_level" text not null,
  "avatar_url" text,
  "created_at" text not null,
  "updated_at" text not null,
  "last_activity_at" text not null,
  "forked_from_id" bigint references "${prefix}project" ("id") on delete set null,
  "empty_repo" boolean default true not null,
  "has_security_reports" boolean default false not null,
  "settings" json,
  "pipeline_readers" text default 'everyone' not null,
  "importer_id" bigint
);
CREATE UNIQUE INDEX "${prefix}project_full_path_key" on "${prefix}project" (lower("full_path"));
CREATE INDEX "${prefix}project_namespace" on "${prefix}project" ("namespace_id", "created_at");
CREATE INDEX "${prefix}project_creator" on "${prefix}project" ("creator_id");
CREATE INDEX "${prefix}project_visibility" on "${prefix}project" ("visibility");
CREATE TABLE "${prefix}member" (
  "id" integer primary key autoincrement,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "user_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "access_level" integer not null,
  "expires_at" text,
  "created_at" text not null,
  "synced_level" integer,
  "overridden_at" text,
  "updated_at" text,
  constraint "member_project_key" unique ("user_id", "project_id"),
  constraint "member_group_key" unique ("user_id", "group_id")
);
CREATE INDEX "${prefix}member_project" on "${prefix}member" ("project_id", "id");
CREATE INDEX "${prefix}member_group" on "${prefix}member" ("group_id", "id");
CREATE INDEX "${prefix}member_expiry" on "${prefix}member" ("expires_at");
CREATE TABLE "${prefix}share" (
  "id" integer primary key autoincrement,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "with_group_id" bigint not null references "${prefix}namespace" ("id") on delete cascade,
  "access_level" integer not null,
  "expires_at" text,
  "created_at" text not null,
  constraint "share_project_key" unique ("project_id", "with_group_id"),
  constraint "share_group_key" unique ("group_id", "with_group_id")
);
CREATE INDEX "${prefix}share_with_group" on "${prefix}share" ("with_group_id");
CREATE TABLE "${prefix}label" (
  "id" integer primary key autoincrement,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "name" text not null,
  "color" text not null,
  "description" text,
  "created_at" text not null,
  "updated_at" text not null,
  constraint "label_project_name_key" unique ("project_id", "name"),
  constraint "label_group_name_key" unique ("group_id", "name")
);
CREATE TABLE "${prefix}label_priority" (
  "label_id" bigint not null references "${prefix}label" ("id") on delete cascade,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "priority" integer not null,
  constraint "label_priority_pkey" primary key ("label_id", "project_id")
);
CREATE INDEX "${prefix}label_priority_project" on "${prefix}label_priority" ("project_id");
CREATE TABLE "${prefix}label_subscription" (
  "label_id" bigint not null references "${prefix}label" ("id") on delete cascade,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "user_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  constraint "label_subscription_pkey" primary key ("label_id", "project_id", "user_id")
);
CREATE INDEX "${prefix}label_subscription_project" on "${prefix}label_subscription" ("project_id");
CREATE INDEX "${prefix}label_subscription_user" on "${prefix}label_subscription" ("user_id");
CREATE TABLE "${prefix}milestone" (
  "id" integer primary key autoincrement,
  "iid" integer not null,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "title" text not null,
  "description" text,
  "state" text not null,
  "start_date" text,
  "due_date" text,
  "created_at" text not null,
  "updated_at" text not null,
  constraint "milestone_project_iid_key" unique ("project_id", "iid"),
  constraint "milestone_group_iid_key" unique ("group_id", "iid"),
  constraint "milestone_project_title_key" unique ("project_id", "title"),
  constraint "milestone_group_title_key" unique ("group_id", "title")
);
CREATE INDEX "${prefix}milestone_title" on "${prefix}milestone" ("title");
CREATE TABLE "${prefix}issue" (
  "id" integer primary key autoincrement,
  "iid" integer not null,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "author_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "title" text not null,
  "description" text,
  "state" text not null,
  "confidential" boolean default false not null,
  "discussion_locked" boolean default false not null,
  "milestone_id" bigint references "${prefix}milestone" ("id") on delete set null,
  "due_date" text,
  "created_at" text not null,
  "updated_at" text not null,
  "closed_at" text,
  "closed_by_id" bigint references "${prefix}user" ("id") on delete set null,
  "time_estimate" integer default 0 not null,
  "total_time_spent" integer default 0 not null,
  "moved_to_id" bigint references "${prefix}issue" ("id") on delete set null,
  "relative_position" bigint,
  "weight" bigint,
  constraint "issue_iid_key" unique ("project_id", "iid")
);
CREATE TABLE "${prefix}merge_request" (
  "id" integer primary key autoincrement,
  "iid" integer not null,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "author_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "title" text not null,
  "description" text,
  "state" text not null,
  "source_branch" text not null,
  "target_branch" text not null,
  "discussion_locked" boolean default false not null,
  "milestone_id" bigint references "${prefix}milestone" ("id") on delete set null,
  "merge_status" text not null,
  "created_at" text not null,
  "updated_at" text not null,
  "merged_at" text,
  "merged_by_id" bigint references "${prefix}user" ("id") on delete set null,
  "closed_at" text,
  "closed_by_id" bigint references "${prefix}user" ("id") on delete set null,
  "squash" boolean default false not null,
  "remove_source_branch" boolean default false not null,
  "merge_commit_sha" text,
  "squash_commit_sha" text,
  "merge_error" text,
  "time_estimate" integer default 0 not null,
  "total_time_spent" integer default 0 not null,
  "merge_when_pipeline_succeeds" boolean default false not null,
  "auto_merge" json,
  "source_project_id" bigint references "${prefix}project" ("id") on delete set null,
  "allow_collaboration" boolean default false not null,
  constraint "merge_request_iid_key" unique ("project_id", "iid")
);
CREATE INDEX "${prefix}merge_request_author" on "${prefix}merge_request" ("author_id");
CREATE INDEX "${prefix}merge_request_milestone" on "${prefix}merge_request" ("milestone_id");
CREATE INDEX "${prefix}merge_request_merged_by" on "${prefix}merge_request" ("merged_by_id");
CREATE INDEX "${prefix}merge_request_closed_by" on "${prefix}merge_request" ("closed_by_id");
CREATE TABLE "${prefix}merge_request_assignee" (
  "merge_request_id" bigint not null references "${prefix}merge_request" ("id") on delete cascade,
  "user_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  constraint "merge_request_assignee_pkey" primary key ("merge_request_id", "user_id")
);
CREATE INDEX "${prefix}merge_request_assignee_user" on "${prefix}merge_request_assignee" ("user_id", "merge_request_id");
CREATE TABLE "${prefix}merge_request_label" (
  "merge_request_id" bigint not null references "${prefix}merge_request" ("id") on delete cascade,
  "label_id" bigint not null references "${prefix}label" ("id") on delete cascade,
  constraint "merge_request_label_pkey" primary key ("merge_request_id", "label_id")
);
CREATE INDEX "${prefix}merge_request_label_label" on "${prefix}merge_request_label" ("label_id", "merge_request_id");
CREATE TABLE "${prefix}award_emoji" (
  "id" integer primary key autoincrement,
  "user_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "name" text not null,
  "issue_id" bigint references "${prefix}issue" ("id") on delete cascade,
  "merge_request_id" bigint references "${prefix}merge_request" ("id") on delete cascade,
  "created_at" text not null,
  "note_id" bigint references "${prefix}note" ("id") on delete cascade,
  "snippet_id" bigint references "${prefix}snippet" ("id") on delete cascade,
  "epic_id" bigint references "${prefix}epic" ("id") on delete cascade,
  constraint "award_emoji_issue_key" unique ("issue_id", "user_id", "name"),
  constraint "award_emoji_merge_request_key" unique ("merge_request_id", "user_id", "name")
);
CREATE INDEX "${prefix}award_emoji_user" on "${prefix}award_emoji" ("user_id", "name");
CREATE TABLE "${prefix}job" (
  "id" integer primary key autoincrement,
  "kind" text not null,
  "key" text,
  "payload" json not null,
  "state" text not null,
  "run_after" text not null,
  "attempts" integer default 0 not null,
  "lease_until" text,
  "last_error" text,
  "created_at" text not null,
  "destination" text,
  "claimed_by" text,
  "hook_chain" json
);
CREATE UNIQUE INDEX "${prefix}job_key" on "${prefix}job" ("kind", "key");
CREATE INDEX "${prefix}job_due" on "${prefix}job" ("state", "run_after");
CREATE TABLE "${prefix}access_request" (
  "id" integer primary key autoincrement,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "user_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "created_at" text not null,
  constraint "access_request_project_key" unique ("project_id", "user_id"),
  constraint "access_request_group_key" unique ("group_id", "user_id")
);
CREATE INDEX "${prefix}access_request_user" on "${prefix}access_request" ("user_id");
CREATE TABLE "${prefix}custom_attribute" (
  "id" integer primary key autoincrement,
  "user_id" bigint references "${prefix}user" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "key" text not null,
  "value" text not null,
  constraint "custom_attribute_user_key" unique ("user_id", "key"),
  constraint "custom_attribute_group_key" unique ("group_id", "key"),
  constraint "custom_attribute_project_key" unique ("project_id", "key")
);
CREATE TABLE "${prefix}snippet" (
  "id" integer primary key autoincrement,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "author_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "title" text not null,
  "file_name" text not null,
  "description" text,
  "content" text not null,
  "visibility" text not null,
  "created_at" text not null,
  "updated_at" text not null
);
CREATE INDEX "${prefix}snippet_author" on "${prefix}snippet" ("author_id", "created_at", "id");
CREATE INDEX "${prefix}snippet_project" on "${prefix}snippet" ("project_id", "visibility", "created_at", "id");
CREATE TABLE "${prefix}snippet_origin" (
  "snippet_id" bigint not null primary key references "${prefix}snippet" ("id") on delete cascade,
  "user_agent" text not null,
  "ip_address" text not null
);
CREATE TABLE "${prefix}epic" (
  "id" integer primary key autoincrement,
  "iid" integer not null,
  "group_id" bigint not null references "${prefix}namespace" ("id") on delete cascade,
  "author_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "title" text not null,
  "description" text,
  "state" text not null,
  "confidential" boolean default false not null,
  "created_at" text not null,
  "updated_at" text not null,
  "closed_at" text,
  "closed_by_id" bigint references "${prefix}user" ("id") on delete set null,
  "start_date" text,
  "due_date" text,
  "color" text,
  constraint "epic_iid_key" unique ("group_id", "iid")
);
CREATE INDEX "${prefix}epic_author" on "${prefix}epic" ("author_id");
CREATE INDEX "${prefix}epic_closed_by" on "${prefix}epic" ("closed_by_id");
CREATE TABLE "${prefix}note" (
  "id" integer primary key autoincrement,
  "issue_id" bigint references "${prefix}issue" ("id") on delete cascade,
  "merge_request_id" bigint references "${prefix}merge_request" ("id") on delete cascade,
  "snippet_id" bigint references "${prefix}snippet" ("id") on delete cascade,
  "epic_id" bigint references "${prefix}epic" ("id") on delete cascade,
  "author_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "body" text not null,
  "system" boolean default false not null,
  "created_at" text not null,
  "updated_at" text not null,
  "type" text,
  "internal" boolean default false not null
);
CREATE INDEX "${prefix}note_author" on "${prefix}note" ("author_id");
CREATE TABLE "${prefix}event" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "author_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "action" text not null,
  "target_kind" text,
  "issue_id" bigint references "${prefix}issue" ("id") on delete cascade,
  "merge_request_id" bigint references "${prefix}merge_request" ("id") on delete cascade,
  "milestone_id" bigint references "${prefix}milestone" ("id") on delete cascade,
  "snippet_id" bigint references "${prefix}snippet" ("id") on delete cascade,
  "note_id" bigint references "${prefix}note" ("id") on delete cascade,
  "push" json,
  "created_at" text not null,
  "internal" boolean default false not null
);
CREATE INDEX "${prefix}event_issue" on "${prefix}event" ("issue_id") where "issue_id" is not null;
CREATE INDEX "${prefix}event_merge_request" on "${prefix}event" ("merge_request_id") where "merge_request_id" is not null;
CREATE INDEX "${prefix}event_milestone" on "${prefix}event" ("milestone_id") where "milestone_id" is not null;
CREATE INDEX "${prefix}event_snippet" on "${prefix}event" ("snippet_id") where "snippet_id" is not null;
CREATE INDEX "${prefix}event_note" on "${prefix}event" ("note_id") where "note_id" is not null;
CREATE TABLE "${prefix}todo" (
  "id" integer primary key autoincrement,
  "user_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "author_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "issue_id" bigint references "${prefix}issue" ("id") on delete cascade,
  "merge_request_id" bigint references "${prefix}merge_request" ("id") on delete cascade,
  "epic_id" bigint references "${prefix}epic" ("id") on delete cascade,
  "note_id" bigint references "${prefix}note" ("id") on delete cascade,
  "action" text not null,
  "state" text not null,
  "created_at" text not null,
  "updated_at" text not null
);
CREATE INDEX "${prefix}todo_list" on "${prefix}todo" ("user_id", "state", "id");
CREATE INDEX "${prefix}todo_author" on "${prefix}todo" ("author_id");
CREATE INDEX "${prefix}todo_project_id" on "${prefix}todo" ("project_id") where "project_id" is not null;
CREATE INDEX "${prefix}todo_group_id" on "${prefix}todo" ("group_id") where "group_id" is not null;
CREATE INDEX "${prefix}todo_note_id" on "${prefix}todo" ("note_id") where "note_id" is not null;
CREATE INDEX "${prefix}todo_issue" on "${prefix}todo" ("issue_id", "user_id") where "issue_id" is not null;
CREATE UNIQUE INDEX "${prefix}todo_pending_issue" on "${prefix}todo" ("issue_id", "user_id") where "state" = 'pending' and "issue_id" is not null;
CREATE INDEX "${prefix}todo_merge_request" on "${prefix}todo" ("merge_request_id", "user_id") where "merge_request_id" is not null;
CREATE UNIQUE INDEX "${prefix}todo_pending_merge_request" on "${prefix}todo" ("merge_request_id", "user_id") where "state" = 'pending' and "merge_request_id" is not null;
CREATE INDEX "${prefix}todo_epic" on "${prefix}todo" ("epic_id", "user_id") where "epic_id" is not null;
CREATE UNIQUE INDEX "${prefix}todo_pending_epic" on "${prefix}todo" ("epic_id", "user_id") where "state" = 'pending' and "epic_id" is not null;
CREATE TABLE "${prefix}notification_setting" (
  "id" integer primary key autoincrement,
  "user_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "level" text not null,
  "notification_email" text,
  "events" json not null,
  "created_at" text not null,
  "updated_at" text not null,
  constraint "notification_setting_project_key" unique ("project_id", "user_id"),
  constraint "notification_setting_group_key" unique ("group_id", "user_id")
);
CREATE INDEX "${prefix}notification_setting_user" on "${prefix}notification_setting" ("user_id");
CREATE UNIQUE INDEX "${prefix}notification_setting_global" on "${prefix}notification_setting" ("user_id") where project_id is null and group_id is null;
CREATE TABLE "${prefix}email_address" (
  "id" integer primary key autoincrement,
  "user_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "email" text not null,
  "created_at" text not null,
  "confirmed_at" text
);
CREATE INDEX "${prefix}email_address_user" on "${prefix}email_address" ("user_id");
CREATE UNIQUE INDEX "${prefix}email_address_key" on "${prefix}email_address" (lower("email"));
CREATE INDEX "${prefix}project_issues" on "${prefix}project" ("issues_access_level");
CREATE INDEX "${prefix}label_name" on "${prefix}label" ("name");
CREATE INDEX "${prefix}issue_short_title" on "${prefix}issue" (lower("title")) where length("title") < 3;
CREATE INDEX "${prefix}issue_short_description" on "${prefix}issue" (lower("description")) where length("description") < 3;
CREATE TABLE "${prefix}sso_provider" (
  "id" integer primary key autoincrement,
  "group_id" bigint not null references "${prefix}namespace" ("id") on delete cascade,
  "name" text not null,
  "enabled" boolean default true not null,
  "created_at" text not null,
  constraint "sso_provider_group_key" unique ("group_id")
);
CREATE TABLE "${prefix}scim_token" (
  "id" integer primary key autoincrement,
  "group_id" bigint not null references "${prefix}namespace" ("id") on delete cascade,
  "digest" text not null,
  "created_at" text not null,
  constraint "scim_token_digest_key" unique ("digest")
);
CREATE INDEX "${prefix}scim_token_group" on "${prefix}scim_token" ("group_id");
CREATE TABLE "${prefix}scim_identity" (
  "id" integer primary key autoincrement,
  "group_id" bigint not null references "${prefix}namespace" ("id") on delete cascade,
  "user_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "extern_uid" text not null,
  "provisioned" boolean default false not null,
  "unlinked_at" text,
  "created_at" text not null,
  "given_name" text,
  "family_name" text,
  constraint "scim_identity_user_key" unique ("group_id", "user_id")
);
CREATE UNIQUE INDEX "${prefix}scim_identity_extern_uid_key" on "${prefix}scim_identity" ("group_id", lower(extern_uid)) where "unlinked_at" is null;
CREATE INDEX "${prefix}scim_identity_extern_uid" on "${prefix}scim_identity" ("group_id", lower(extern_uid));
CREATE INDEX "${prefix}scim_identity_group" on "${prefix}scim_identity" ("group_id", "id");
CREATE INDEX "${prefix}scim_identity_user" on "${prefix}scim_identity" ("user_id");
CREATE INDEX "${prefix}project_forked_from" on "${prefix}project" ("forked_from_id");
CREATE TABLE "${prefix}runners_token" (
  "group_id" bigint not null references "${prefix}namespace" ("id") on delete cascade,
  "token" text not null,
  constraint "runners_token_pkey" primary key ("group_id"),
  constraint "runners_token_key" unique ("token")
);
CREATE TABLE "${prefix}project_star" (
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "user_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "created_at" text not null,
  constraint "project_star_pkey" primary key ("project_id", "user_id")
);
CREATE INDEX "${prefix}project_star_user" on "${prefix}project_star" ("user_id", "project_id");
CREATE TABLE "${prefix}project_size" (
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "repository_size" bigint not null,
  "wiki_size" bigint not null,
  "lfs_objects_size" bigint not null,
  "job_artifacts_size" bigint not null,
  "packages_size" bigint not null,
  constraint "project_size_pkey" primary key ("project_id")
);
CREATE TABLE "${prefix}environment" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "name" text not null,
  "slug" text not null,
  "external_url" text,
  "state" text not null,
  "created_at" text not null,
  "updated_at" text not null,
  "tier" text,
  "auto_stop_at" text,
  constraint "environment_project_name_key" unique ("project_id", "name"),
  constraint "environment_project_slug_key" unique ("project_id", "slug")
);
CREATE TABLE "${prefix}deployment" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "iid" integer not null,
  "environment_id" bigint not null references "${prefix}environment" ("id") on delete cascade,
  "user_id" bigint references "${prefix}user" ("id") on delete set null,
  "ref" text not null,
  "sha" text not null,
  "status" text not null,
  "job" json,
  "created_at" text not null,
  "updated_at" text not null,
  "job_id" bigint references "${prefix}pipeline_job" ("id") on delete set null,
  "finished_at" text,
  constraint "deployment_project_iid_key" unique ("project_id", "iid")
);
CREATE INDEX "${prefix}deployment_environment" on "${prefix}deployment" ("environment_id", "status", "id");
CREATE INDEX "${prefix}deployment_user" on "${prefix}deployment" ("user_id");
CREATE TABLE "${prefix}protected_environment" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "name" text not null,
  "created_at" text not null,
  "updated_at" text not null,
  constraint "protected_environment_project_name_key" unique ("project_id", "name")
);
CREATE TABLE "${prefix}deploy_access_level" (
  "id" integer primary key autoincrement,
  "protected_environment_id" bigint not null references "${prefix}protected_environment" ("id") on delete cascade,
  "access_level" integer,
  "user_id" bigint references "${prefix}user" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade
);
CREATE INDEX "${prefix}deploy_access_level_protected_environment_id" on "${prefix}deploy_access_level" ("protected_environment_id");
CREATE INDEX "${prefix}deploy_access_level_user_id" on "${prefix}deploy_access_level" ("user_id");
CREATE INDEX "${prefix}deploy_access_level_group_id" on "${prefix}deploy_access_level" ("group_id");
CREATE TABLE "${prefix}error_tracking_setting" (
  "project_id" bigint primary key references "${prefix}project" ("id") on delete cascade,
  "active" boolean default false not null,
  "project_name" text not null,
  "tracker_external_url" text not null,
  "api_url" text not null,
  "updated_at" text not null
);
CREATE TABLE "${prefix}dependency" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "name" text not null,
  "version" text not null,
  "package_manager" text not null,
  "dependency_file_path" text not null,
  "vulnerabilities" json not null
);
CREATE INDEX "${prefix}dependency_project_name" on "${prefix}dependency" ("project_id", "name", "version", "id");
CREATE TABLE "${prefix}ssh_key" (
  "id" integer primary key autoincrement,
  "user_id" bigint references "${prefix}user" ("id") on delete cascade,
  "creator_id" bigint references "${prefix}user" ("id") on delete set null,
  "deploy" boolean default false not null,
  "title" text not null,
  "key" text not null,
  "sha256" text not null,
  "md5" text not null,
  "created_at" text not null,
  "expires_at" text,
  constraint "ssh_key_sha256_key" unique ("sha256")
);
CREATE INDEX "${prefix}ssh_key_md5" on "${prefix}ssh_key" ("md5");
CREATE INDEX "${prefix}ssh_key_user" on "${prefix}ssh_key" ("user_id", "id");
CREATE INDEX "${prefix}ssh_key_creator" on "${prefix}ssh_key" ("creator_id");
CREATE TABLE "${prefix}deploy_key_project" (
  "id" integer primary key autoincrement,
  "deploy_key_id" bigint not null references "${prefix}ssh_key" ("id") on delete cascade,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "can_push" boolean default false not null,
  "created_at" text not null,
  "updated_at" text not null,
  constraint "deploy_key_project_key" unique ("deploy_key_id", "project_id")
);
CREATE INDEX "${prefix}deploy_key_project_project" on "${prefix}deploy_key_project" ("project_id", "id");
CREATE TABLE "${prefix}replica_node" (
  "id" integer primary key autoincrement,
  "name" text not null,
  "url" text not null,
  "internal_url" text,
  "primary" boolean default false not null,
  "enabled" boolean default true not null,
  "files_max_capacity" integer not null,
  "repos_max_capacity" integer not null,
  "verification_max_capacity" integer not null,
  "container_repositories_max_capacity" integer not null,
  "sync_object_storage" boolean default false not null,
  "selective_sync_type" text,
  "selective_sync_shards" json not null,
  "selective_sync_namespace_ids" json not null,
  "minimum_reverification_interval" integer not null,
  "status" json,
  "status_at" text,
  "created_at" text not null,
  "updated_at" text not null
);
CREATE UNIQUE INDEX "${prefix}replica_node_name_key" on "${prefix}replica_node" (lower("name"));
CREATE TABLE "${prefix}project_repository" (
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "place" text not null,
  "created_at" text not null,
  constraint "project_repository_pkey" primary key ("project_id"),
  constraint "project_repository_place" unique ("place")
);
CREATE TABLE "${prefix}application_setting" (
  "name" text primary key,
  "value" text not null,
  "updated_at" text not null
);
CREATE TABLE "${prefix}application_secret" (
  "name" text primary key,
  "sealed" text not null,
  "updated_at" text not null
);
CREATE TABLE "${prefix}pages_domain" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "name" text not null,
  "auto_ssl_enabled" boolean default false not null,
  "certificate" text,
  "sealed_key" text,
  "certificate_starts_at" text,
  "certificate_ends_at" text,
  "verification_code" text not null,
  "verified_at" text,
  "enabled_until" text,
  "created_at" text not null,
  "updated_at" text not null
);
CREATE UNIQUE INDEX "${prefix}pages_domain_name_key" on "${prefix}pages_domain" (lower("name"));
CREATE INDEX "${prefix}pages_domain_project" on "${prefix}pages_domain" ("project_id", "name");
CREATE TABLE "${prefix}remote_mirror" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "enabled" boolean default false not null,
  "url" text not null,
  "shown_url" text not null,
  "sealed_credentials" text,
  "only_protected_branches" boolean default false not null,
  "keep_divergent_refs" boolean default false not null,
  "update_status" text not null,
  "last_update_at" text,
  "last_update_started_at" text,
  "last_successful_update_at" text,
  "last_error" text,
  "requested_at" text,
  "created_at" text not null,
  "updated_at" text not null
);
CREATE INDEX "${prefix}remote_mirror_project" on "${prefix}remote_mirror" ("project_id", "id");
CREATE TABLE "${prefix}container_repository" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "name" text not null,
  "leaving" boolean default false not null,
  "cleanup_asked_at" text,
  "created_at" text not null,
  constraint "container_repository_project_name_key" unique ("project_id", "name")
);
CREATE TABLE "${prefix}container_tag" (
  "id" integer primary key autoincrement,
  "container_repository_id" bigint not null references "${prefix}container_repository" ("id") on delete cascade,
  "name" text not null,
  "digest" text not null,
  "revision" text,
  "total_size" bigint,
  "created_at" text,
  "put_at" text not null,
  constraint "container_tag_repository_name_key" unique ("container_repository_id", "name")
);
CREATE TABLE "${prefix}issue_label" (
  
    issue_id bigint not null references "${prefix}issue" (id) on delete cascade,
    label_id bigint not null references "${prefix}label" (id) on delete cascade,
    primary key (issue_id, label_id)
) without rowid;
CREATE TABLE "${prefix}issue_assignee" (
  
    issue_id bigint not null references "${prefix}issue" (id) on delete cascade,
    user_id bigint not null references "${prefix}user" (id) on delete cascade,
    primary key (issue_id, user_id)
) without rowid;
CREATE TABLE "${prefix}issue_fact" (
  issue_id integer primary key,
  project_id bigint not null,
  closed boolean not null,
    confidential boolean not null
);
CREATE TABLE "${prefix}issue_count" (
  project_id integer primary key,
  namespace_id bigint not null,
  visibility text not null,
  issues_access_level text not null,
    opened integer not null default 0,
  closed integer not null default 0,
  secret_opened integer not null default 0,
  secret_closed integer not null default 0
);
CREATE TABLE "${prefix}issue_tally" (
  kind smallint not null,
  subject_id bigint not null,
  project_id bigint not null,
  opened integer not null default 0,
  closed integer not null default 0,
  secret_opened integer not null default 0,
  secret_closed integer not null default 0,
  primary key (kind, subject_id, project_id)
) without rowid;
CREATE TABLE "${prefix}issue_label_key" (
  link integer primary key
);
CREATE INDEX "${prefix}issue_author" on "${prefix}issue" (author_id);
CREATE INDEX "${prefix}issue_milestone" on "${prefix}issue" (milestone_id) where milestone_id is not null;
CREATE INDEX "${prefix}issue_secret" on "${prefix}issue" (author_id) where confidential = true;
CREATE INDEX "${prefix}issue_created" on "${prefix}issue" (created_at);
CREATE INDEX "${prefix}issue_updated" on "${prefix}issue" (updated_at);
CREATE INDEX "${prefix}issue_closed_by" on "${prefix}issue" (closed_by_id) where closed_by_id is not null;
CREATE INDEX "${prefix}issue_label_label" on "${prefix}issue_label" (label_id, issue_id);
CREATE INDEX "${prefix}issue_assignee_user" on "${prefix}issue_assignee" (user_id, issue_id);
CREATE VIRTUAL TABLE "${prefix}issue_title" using fts5(
    title, content = "${prefix}issue", content_rowid = 'id', tokenize = 'trigram', columnsize = 0);
CREATE VIRTUAL TABLE "${prefix}issue_text" using fts5(
    description, title, content = "${prefix}issue", content_rowid = 'id', tokenize = 'trigram', columnsize = 0);
CREATE TRIGGER "${prefix}issue_added" after insert on "${prefix}issue"  begin 
  insert into "${prefix}issue_fact" (issue_id, project_id, closed, confidential)
  values (new.id, new.project_id, new.state = 'closed', new.confidential);
  
  insert into "${prefix}issue_count" (project_id, namespace_id, visibility, issues_access_level)
  select id, namespace_id, visibility, issues_access_level from "${prefix}project" where id = new.project_id
  on conflict (project_id) do nothing;
  update "${prefix}issue_count" set opened = opened + (case when new.state = 'opened' and not new.confidential then 1 else 0 end), closed = closed + (case when new.state = 'closed' and not new.confidential then 1 else 0 end), secret_opened = secret_opened + (case when new.state = 'opened' and new.confidential then 1 else 0 end), secret_closed = secret_closed + (case when new.state = 'closed' and new.confidential then 1 else 0 end)
  where project_id = new.project_id;
  
  insert into "${prefix}issue_tally" (kind, subject_id, project_id, opened, closed, secret_opened, secret_closed)
  select 3, new.author_id, new.project_id, case when new.state = 'opened' and not new.confidential then 1 else 0 end, case when new.state = 'closed' and not new.confidential then 1 else 0 end, case when new.state = 'opened' and new.confidential then 1 else 0 end, case when new.state = 'closed' and new.confidential then 1 else 0 end from (select 1 as one) as once where new.author_id is not null
  on conflict (kind, subject_id, project_id) do update set opened = "${prefix}issue_tally".opened + excluded.opened, closed = "${prefix}issue_tally".closed + excluded.closed, secret_opened = "${prefix}issue_tally".secret_opened + excluded.secret_opened, secret_closed = "${prefix}issue_tally".secret_closed + excluded.secret_closed;
  insert into "${prefix}issue_tally" (kind, subject_id, project_id, opened, closed, secret_opened, secret_closed)
  select 4, new.milestone_id, new.project_id, case when new.state = 'opened' and not new.confidential then 1 else 0 end, case when new.state = 'closed' and not new.confidential then 1 else 0 end, case when new.state = 'opened' and new.confidential then 1 else 0 end, case when new.state = 'closed' and new.confidential then 1 else 0 end from (select 1 as one) as once where new.milestone_id is not null
  on conflict (kind, subject_id, project_id) do update set opened = "${prefix}issue_tally".opened + excluded.opened, closed = "${prefix}issue_tally".closed + excluded.closed, secret_opened = "${prefix}issue_tally".secret_opened + excluded.secret_opened, secret_closed = "${prefix}issue_tally".secret_closed + excluded.secret_closed; end;
CREATE TRIGGER "${prefix}issue_removed" before delete on "${prefix}issue"  begin 
  update "${prefix}issue_count" set opened = opened - (case when old.state = 'opened' and not old.confidential then 1 else 0 end), closed = closed - (case when old.state = 'closed' and not old.confidential then 1 else 0 end), secret_opened = secret_opened - (case when old.state = 'opened' and old.confidential then 1 else 0 end), secret_closed = secret_closed - (case when old.state = 'closed' and old.confidential then 1 else 0 end) where project_id = old.project_id;
  delete from "${prefix}issue_count" where project_id = old.project_id and opened + closed + secret_opened + secret_closed = 0;
  
  update "${prefix}issue_tally" set opened = opened - (case when old.state = 'opened' and not old.confidential then 1 else 0 end), closed = closed - (case when old.state = 'closed' and not old.confidential then 1 else 0 end), secret_opened = secret_opened - (case when old.state = 'opened' and old.confidential then 1 else 0 end), secret_closed = secret_closed - (case when old.state = 'closed' and old.confidential then 1 else 0 end) where kind = 3 and subject_id = old.author_id and project_id = old.project_id;
  delete from "${prefix}issue_tally" where kind = 3 and subject_id = old.author_id and project_id = old.project_id and opened + closed + secret_opened + secret_closed = 0;
  update "${prefix}issue_tally" set opened = opened - (case when old.state = 'opened' and not old.confidential then 1 else 0 end), closed = closed - (case when old.state = 'closed' and not old.confidential then 1 else 0 end), secret_opened = secret_opened - (case when old.state = 'opened' and old.confidential then 1 else 0 end), secret_closed = secret_closed - (case when old.state = 'closed' and old.confidential then 1 else 0 end) where kind = 4 and subject_id = old.milestone_id and project_id = old.project_id;
  delete from "${prefix}issue_tally" where kind = 4 and subject_id = old.milestone_id and project_id = old.project_id and opened + closed + secret_opened + secret_closed = 0;
  
  update "${prefix}issue_tally" set opened = opened - (case when old.state = 'opened' and not old.confidential then 1 else 0 end), closed = closed - (case when old.state = 'closed' and not old.confidential then 1 else 0 end), secret_opened = secret_opened - (case when old.state = 'opened' and old.confidential then 1 else 0 end), secret_closed = secret_closed - (case when old.state = 'closed' and old.confidential then 1 else 0 end) where kind = 1 and subject_id in (select label_id from "${prefix}issue_label" where issue_id = old.id) and project_id = old.project_id;
  delete from "${prefix}issue_tally" where kind = 1 and subject_id in (select label_id from "${prefix}issue_label" where issue_id = old.id) and project_id = old.project_id and opened + closed + secret_opened + secret_closed = 0;
  update "${prefix}issue_tally" set opened = opened - (case when old.state = 'opened' and not old.confidential then 1 else 0 end), closed = closed - (case when old.state = 'closed' and not old.confidential then 1 else 0 end), secret_opened = secret_opened - (case when old.state = 'opened' and old.confidential then 1 else 0 end), secret_closed = secret_closed - (case when old.state = 'closed' and old.confidential then 1 else 0 end) where kind = 2 and subject_id in (select user_id from "${prefix}issue_assignee" where issue_id = old.id) and project_id = old.project_id;
  delete from "${prefix}issue_tally" where kind = 2 and subject_id in (select user_id from "${prefix}issue_assignee" where issue_id = old.id) and project_id = old.project_id and opened + closed + secret_opened + secret_closed = 0;
  delete from "${prefix}issue_fact" where issue_id = old.id; end;
CREATE TRIGGER "${prefix}issue_changed" before update of project_id, state, confidential, author_id, milestone_id on "${prefix}issue" when old.project_id is distinct from new.project_id or old.state is distinct from new.state or old.confidential is distinct from new.confidential or old.author_id is distinct from new.author_id or old.milestone_id is distinct from new.milestone_id begin 
  
  update "${prefix}issue_count" set opened = opened - (case when old.state = 'opened' and not old.confidential then 1 else 0 end), closed = closed - (case when old.state = 'closed' and not old.confidential then 1 else 0 end), secret_opened = secret_opened - (case when old.state = 'opened' and old.confidential then 1 else 0 end), secret_closed = secret_closed - (case when old.state = 'closed' and old.confidential then 1 else 0 end) where project_id = old.project_id;
  delete from "${prefix}issue_count" where project_id = old.project_id and opened + closed + secret_opened + secret_closed = 0;
  
  update "${prefix}issue_tally" set opened = opened - (case when old.state = 'opened' and not old.confidential then 1 else 0 end), closed = closed - (case when old.state = 'closed' and not old.confidential then 1 else 0 end), secret_opened = secret_opened - (case when old.state = 'opened' and old.confidential then 1 else 0 end), secret_closed = secret_closed - (case when old.state = 'closed' and old.confidential then 1 else 0 end) where kind = 3 and subject_id = old.author_id and project_id = old.project_id;
  delete from "${prefix}issue_tally" where kind = 3 and subject_id = old.author_id and project_id = old.project_id and opened + closed + secret_opened + secret_closed = 0;
  update "${prefix}issue_tally" set opened = opened - (case when old.state = 'opened' and not old.confidential then 1 else 0 end), closed = closed - (case when old.state = 'closed' and not old.confidential then 1 else 0 end), secret_opened = secret_opened - (case when old.state = 'opened' and old.confidential then 1 else 0 end), secret_closed = secret_closed - (case when old.state = 'closed' and old.confidential then 1 else 0 end) where kind = 4 and subject_id = old.milestone_id and project_id = old.project_id;
  delete from "${prefix}issue_tally" where kind = 4 and subject_id = old.milestone_id and project_id = old.project_id and opened + closed + secret_opened + secret_closed = 0;
  
  insert into "${prefix}issue_count" (project_id, namespace_id, visibility, issues_access_level)
  select id, namespace_id, visibility, issues_access_level from "${prefix}project" where id = new.project_id
  on conflict (project_id) do nothing;
  update "${prefix}issue_count" set opened = opened + (case when new.state = 'opened' and not new.confidential then 1 else 0 end), closed = closed + (case when new.state = 'closed' and not new.confidential then 1 else 0 end), secret_opened = secret_opened + (case when new.state = 'opened' and new.confidential then 1 else 0 end), secret_closed = secret_closed + (case when new.state = 'closed' and new.confidential then 1 else 0 end)
  where project_id = new.project_id;
  
  insert into "${prefix}issue_tally" (kind, subject_id, project_id, opened, closed, secret_opened, secret_closed)
  select 3, new.author_id, new.project_id, case when new.state = 'opened' and not new.confidential then 1 else 0 end, case when new.state = 'closed' and not new.confidential then 1 else 0 end, case when new.state = 'opened' and new.confidential then 1 else 0 end, case when new.state = 'closed' and new.confidential then 1 else 0 end from (select 1 as one) as once where new.author_id is not null
  on conflict (kind, subject_id, project_id) do update set opened = "${prefix}issue_tally".opened + excluded.opened, closed = "${prefix}issue_tally".closed + excluded.closed, secret_opened = "${prefix}issue_tally".secret_opened + excluded.secret_opened, secret_closed = "${prefix}issue_tally".secret_closed + excluded.secret_closed;
  insert into "${prefix}issue_tally" (kind, subject_id, project_id, opened, closed, secret_opened, secret_closed)
  select 4, new.milestone_id, new.project_id, case when new.state = 'opened' and not new.confidential then 1 else 0 end, case when new.state = 'closed' and not new.confidential then 1 else 0 end, case when new.state = 'opened' and new.confidential then 1 else 0 end, case when new.state = 'closed' and new.confidential then 1 else 0 end from (select 1 as one) as once where new.milestone_id is not null
  on conflict (kind, subject_id, project_id) do update set opened = "${prefix}issue_tally".opened + excluded.opened, closed = "${prefix}issue_tally".closed + excluded.closed, secret_opened = "${prefix}issue_tally".secret_opened + excluded.secret_opened, secret_closed = "${prefix}issue_tally".secret_closed + excluded.secret_closed;
  
  update "${prefix}issue_tally" set opened = opened - (case when old.state = 'opened' and not old.confidential then 1 else 0 end), closed = closed - (case when old.state = 'closed' and not old.confidential then 1 else 0 end), secret_opened = secret_opened - (case when old.state = 'opened' and old.confidential then 1 else 0 end), secret_closed = secret_closed - (case when old.state = 'closed' and old.confidential then 1 else 0 end) where kind = 1 and subject_id in (select label_id from "${prefix}issue_label" where issue_id = old.id) and project_id = old.project_id;
  delete from "${prefix}issue_tally" where kind = 1 and subject_id in (select label_id from "${prefix}issue_label" where issue_id = old.id) and project_id = old.project_id and opened + closed + secret_opened + secret_closed = 0;
  update "${prefix}issue_tally" set opened = opened - (case when old.state = 'opened' and not old.confidential then 1 else 0 end), closed = closed - (case when old.state = 'closed' and not old.confidential then 1 else 0 end), secret_opened = secret_opened - (case when old.state = 'opened' and old.confidential then 1 else 0 end), secret_closed = secret_closed - (case when old.state = 'closed' and old.confidential then 1 else 0 end) where kind = 2 and subject_id in (select user_id from "${prefix}issue_assignee" where issue_id = old.id) and project_id = old.project_id;
  delete from "${prefix}issue_tally" where kind = 2 and subject_id in (select user_id from "${prefix}issue_assignee" where issue_id = old.id) and project_id = old.project_id and opened + closed + secret_opened + secret_closed = 0;
  
  insert into "${prefix}issue_tally" (kind, subject_id, project_id, opened, closed, secret_opened, secret_closed)
  select 1, link.label_id, new.project_id, case when new.state = 'opened' and not new.confidential then 1 else 0 end, case when new.state = 'closed' and not new.confidential then 1 else 0 end, case when new.state = 'opened' and new.confidential then 1 else 0 end, case when new.state = 'closed' and new.confidential then 1 else 0 end from "${prefix}issue_label" as link where link.issue_id = new.id
  on conflict (kind, subject_id, project_id) do update set opened = "${prefix}issue_tally".opened + excluded.opened, closed = "${prefix}issue_tally".closed + excluded.closed, secret_opened = "${prefix}issue_tally".secret_opened + excluded.secret_opened, secret_closed = "${prefix}issue_tally".secret_closed + excluded.secret_closed;
  insert into "${prefix}issue_tally" (kind, subject_id, project_id, opened, closed, secret_opened, secret_closed)
  select 2, link.user_id, new.project_id, case when new.state = 'opened' and not new.confidential then 1 else 0 end, case when new.state = 'closed' and not new.confidential then 1 else 0 end, case when new.state = 'opened' and new.confidential then 1 else 0 end, case when new.state = 'closed' and new.confidential then 1 else 0 end from "${prefix}issue_assignee" as link where link.issue_id = new.id
  on conflict (kind, subject_id, project_id) do update set opened = "${prefix}issue_tally".opened + excluded.opened, closed = "${prefix}issue_tally".closed + excluded.closed, secret_opened = "${prefix}issue_tally".secret_opened + excluded.secret_opened, secret_closed = "${prefix}issue_tally".secret_closed + excluded.secret_closed;
  update "${prefix}issue_fact" set project_id = new.project_id, closed = (new.state = 'closed'), confidential = new.confidential
  where issue_id = new.id; end;
CREATE TRIGGER "${prefix}issue_count_judged" after update of namespace_id, visibility, issues_access_level on "${prefix}project"  begin 
  update "${prefix}issue_count" set namespace_id = new.namespace_id, visibility = new.visibility,
    issues_access_level = new.issues_access_level
  where project_id = new.id; end;
CREATE TRIGGER "${prefix}issue_label_added" after insert on "${prefix}issue_label"  begin 
  insert into "${prefix}issue_tally" (kind, subject_id, project_id, opened, closed, secret_opened, secret_closed)
  select 1, new.label_id, issue.project_id, case when issue.state = 'opened' and not issue.confidential then 1 else 0 end, case when issue.state = 'closed' and not issue.confidential then 1 else 0 end, case when issue.state = 'opened' and issue.confidential then 1 else 0 end, case when issue.state = 'closed' and issue.confidential then 1 else 0 end from "${prefix}issue" as issue where issue.id = new.issue_id
  on conflict (kind, subject_id, project_id) do update set opened = "${prefix}issue_tally".opened + excluded.opened, closed = "${prefix}issue_tally".closed + excluded.closed, secret_opened = "${prefix}issue_tally".secret_opened + excluded.secret_opened, secret_closed = "${prefix}issue_tally".secret_closed + excluded.secret_closed;insert into "${prefix}issue_label_key" (link) values (new.label_id << 32 | new.issue_id); end;
CREATE TRIGGER "${prefix}issue_label_removed" before delete on "${prefix}issue_label"  begin 
  update "${prefix}issue_tally" set opened = opened - (select count(*) from "${prefix}issue_fact" where issue_id = old.issue_id and not closed
      and not confidential), closed = closed - (select count(*) from "${prefix}issue_fact" where issue_id = old.issue_id and closed
      and not confidential),
    secret_opened = secret_opened - (select count(*) from "${prefix}issue_fact" where issue_id = old.issue_id and not closed
      and confidential), secret_closed = secret_closed - (select count(*) from "${prefix}issue_fact" where issue_id = old.issue_id and closed
      and confidential)
  where kind = 1 and subject_id = old.label_id
    and project_id = (select project_id from "${prefix}issue_fact" where issue_id = old.issue_id);
  delete from "${prefix}issue_tally" where kind = 1 and subject_id = old.label_id
    and project_id = (select project_id from "${prefix}issue_fact" where issue_id = old.issue_id) and opened + closed + secret_opened + secret_closed = 0;delete from "${prefix}issue_label_key" where link = (old.label_id << 32 | old.issue_id); end;
CREATE TRIGGER "${prefix}issue_label_turned" before update of issue_id, label_id on "${prefix}issue_label"  begin 
  update "${prefix}issue_tally" set opened = opened - (select count(*) from "${prefix}issue_fact" where issue_id = old.issue_id and not closed
      and not confidential), closed = closed - (select count(*) from "${prefix}issue_fact" where issue_id = old.issue_id and closed
      and not confidential),
    secret_opened = secret_opened - (select count(*) from "${prefix}issue_fact" where issue_id = old.issue_id and not closed
      and confidential), secret_closed = secret_closed - (select count(*) from "${prefix}issue_fact" where issue_id = old.issue_id and closed
      and confidential)
  where kind = 1 and subject_id = old.label_id
    and project_id = (select project_id from "${prefix}issue_fact" where issue_id = old.issue_id);
  delete from "${prefix}issue_tally" where kind = 1 and subject_id = old.label_id
    and project_id = (select project_id from "${prefix}issue_fact" where issue_id = old.issue_id) and opened + closed + secret_opened + secret_closed = 0;delete from "${prefix}issue_label_key" where link = (old.label_id << 32 | old.issue_id);
  insert into "${prefix}issue_tally" (kind, subject_id, project_id, opened, closed, secret_opened, secret_closed)
  select 1, new.label_id, issue.project_id, case when issue.state = 'opened' and not issue.confidential then 1 else 0 end, case when issue.state = 'closed' and not issue.confidential then 1 else 0 end, case when issue.state = 'opened' and issue.confidential then 1 else 0 end, case when issue.state = 'closed' and issue.confidential then 1 else 0 end from "${prefix}issue" as issue where issue.id = new.issue_id
  on conflict (kind, subject_id, project_id) do update set opened = "${prefix}issue_tally".opened + excluded.opened, closed = "${prefix}issue_tally".closed + excluded.closed, secret_opened = "${prefix}issue_tally".secret_opened + excluded.secret_opened, secret_closed = "${prefix}issue_tally".secret_closed + excluded.secret_closed;insert into "${prefix}issue_label_key" (link) values (new.label_id << 32 | new.issue_id); end;
CREATE TRIGGER "${prefix}issue_assignee_added" after insert on "${prefix}issue_assignee"  begin 
  insert into "${prefix}issue_tally" (kind, subject_id, project_id, opened, closed, secret_opened, secret_closed)
  select 2, new.user_id, issue.project_id, case when issue.state = 'opened' and not issue.confidential then 1 else 0 end, case when issue.state = 'closed' and not issue.confidential then 1 else 0 end, case when issue.state = 'opened' and issue.confidential then 1 else 0 end, case when issue.state = 'closed' and issue.confidential then 1 else 0 end from "${prefix}issue" as issue where issue.id = new.issue_id
  on conflict (kind, subject_id, project_id) do update set opened = "${prefix}issue_tally".opened + excluded.opened, closed = "${prefix}issue_tally".closed + excluded.closed, secret_opened = "${prefix}issue_tally".secret_opened + excluded.secret_opened, secret_closed = "${prefix}issue_tally".secret_closed + excluded.secret_closed; end;
CREATE TRIGGER "${prefix}issue_assignee_removed" before delete on "${prefix}issue_assignee"  begin 
  update "${prefix}issue_tally" set opened = opened - (select count(*) from "${prefix}issue_fact" where issue_id = old.issue_id and not closed
      and not confidential), closed = closed - (select count(*) from "${prefix}issue_fact" where issue_id = old.issue_id and closed
      and not confidential),
    secret_opened = secret_opened - (select count(*) from "${prefix}issue_fact" where issue_id = old.issue_id and not closed
      and confidential), secret_closed = secret_closed - (select count(*) from "${prefix}issue_fact" where issue_id = old.issue_id and closed
      and confidential)
  where kind = 2 and subject_id = old.user_id
    and project_id = (select project_id from "${prefix}issue_fact" where issue_id = old.issue_id);
  delete from "${prefix}issue_tally" where kind = 2 and subject_id = old.user_id
    and project_id = (select project_id from "${prefix}issue_fact" where issue_id = old.issue_id) and opened + closed + secret_opened + secret_closed = 0; end;
CREATE TRIGGER "${prefix}issue_assignee_turned" before update of issue_id, user_id on "${prefix}issue_assignee"  begin 
  update "${prefix}issue_tally" set opened = opened - (select count(*) from "${prefix}issue_fact" where issue_id = old.issue_id and not closed
      and not confidential), closed = closed - (select count(*) from "${prefix}issue_fact" where issue_id = old.issue_id and closed
      and not confidential),
    secret_opened = secret_opened - (select count(*) from "${prefix}issue_fact" where issue_id = old.issue_id and not closed
      and confidential), secret_closed = secret_closed - (select count(*) from "${prefix}issue_fact" where issue_id = old.issue_id and closed
      and confidential)
  where kind = 2 and subject_id = old.user_id
    and project_id = (select project_id from "${prefix}issue_fact" where issue_id = old.issue_id);
  delete from "${prefix}issue_tally" where kind = 2 and subject_id = old.user_id
    and project_id = (select project_id from "${prefix}issue_fact" where issue_id = old.issue_id) and opened + closed + secret_opened + secret_closed = 0;
  insert into "${prefix}issue_tally" (kind, subject_id, project_id, opened, closed, secret_opened, secret_closed)
  select 2, new.user_id, issue.project_id, case when issue.state = 'opened' and not issue.confidential then 1 else 0 end, case when issue.state = 'closed' and not issue.confidential then 1 else 0 end, case when issue.state = 'opened' and issue.confidential then 1 else 0 end, case when issue.state = 'closed' and issue.confidential then 1 else 0 end from "${prefix}issue" as issue where issue.id = new.issue_id
  on conflict (kind, subject_id, project_id) do update set opened = "${prefix}issue_tally".opened + excluded.opened, closed = "${prefix}issue_tally".closed + excluded.closed, secret_opened = "${prefix}issue_tally".secret_opened + excluded.secret_opened, secret_closed = "${prefix}issue_tally".secret_closed + excluded.secret_closed; end;
CREATE TRIGGER "${prefix}issue_title_added" after insert on "${prefix}issue"  begin insert into "${prefix}issue_title" (rowid, title) values (new.id, new.title); end;
CREATE TRIGGER "${prefix}issue_title_removed" after delete on "${prefix}issue"  begin insert into "${prefix}issue_title" ("${prefix}issue_title", rowid, title) values ('delete', old.id, old.title); end;
CREATE TRIGGER "${prefix}issue_title_reworded" after update of title on "${prefix}issue" when old.title is not new.title begin insert into "${prefix}issue_title" ("${prefix}issue_title", rowid, title) values ('delete', old.id, old.title);insert into "${prefix}issue_title" (rowid, title) values (new.id, new.title); end;
CREATE TRIGGER "${prefix}issue_text_added" after insert on "${prefix}issue"  begin insert into "${prefix}issue_text" (rowid, description, title) values (new.id, new.description, new.title); end;
CREATE TRIGGER "${prefix}issue_text_removed" after delete on "${prefix}issue"  begin insert into "${prefix}issue_text" ("${prefix}issue_text", rowid, description, title) values ('delete', old.id, old.description, old.title); end;
CREATE TRIGGER "${prefix}issue_text_reworded" after update of description, title on "${prefix}issue" when old.description is not new.description or old.title is not new.title begin insert into "${prefix}issue_text" ("${prefix}issue_text", rowid, description, title) values ('delete', old.id, old.description, old.title);insert into "${prefix}issue_text" (rowid, description, title) values (new.id, new.description, new.title); end;
CREATE TABLE "${prefix}rate_limit" (
  "key" text primary key,
  "hits" json not null,
  "expires_at" text not null
);
CREATE INDEX "${prefix}rate_limit_expired" on "${prefix}rate_limit" ("expires_at");
CREATE TRIGGER "${prefix}project_counters" after delete on "${prefix}project" begin delete from "${prefix}internal_id" where kind in ('issue', 'mergeRequest', 'milestone', 'deployment') and owner_id = old.id; end;
CREATE TRIGGER "${prefix}namespace_counters" after delete on "${prefix}namespace" begin delete from "${prefix}internal_id" where kind in ('epic', 'groupMilestone') and owner_id = old.id; end;
CREATE TABLE "${prefix}release" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "tag" text not null,
  "name" text not null,
  "description" text,
  "sha" text,
  "author_id" bigint references "${prefix}user" ("id") on delete set null,
  "released_at" text not null,
  "created_at" text not null,
  constraint "release_tag" unique ("project_id", "tag")
);
CREATE INDEX "${prefix}release_project_released_at" on "${prefix}release" ("project_id", "released_at", "id");
CREATE INDEX "${prefix}release_project_created_at" on "${prefix}release" ("project_id", "created_at", "id");
CREATE INDEX "${prefix}release_author" on "${prefix}release" ("author_id");
CREATE TABLE "${prefix}release_link" (
  "id" integer primary key autoincrement,
  "release_id" bigint not null references "${prefix}release" ("id") on delete cascade,
  "name" text not null,
  "url" text not null,
  "link_type" text not null,
  "filepath" text,
  constraint "release_link_name" unique ("release_id", "name"),
  constraint "release_link_url" unique ("release_id", "url")
);
CREATE TABLE "${prefix}release_milestone" (
  "release_id" bigint not null references "${prefix}release" ("id") on delete cascade,
  "milestone_id" bigint not null references "${prefix}milestone" ("id") on delete cascade,
  constraint "release_milestone_pkey" primary key ("release_id", "milestone_id")
);
CREATE INDEX "${prefix}release_milestone_milestone" on "${prefix}release_milestone" ("milestone_id");
CREATE TABLE "${prefix}upload" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "secret" text not null,
  "file_name" text not null,
  "size" bigint not null,
  "user_id" bigint references "${prefix}user" ("id") on delete set null,
  "created_at" text not null,
  "storage_key" text,
  "sha256" text,
  constraint "upload_secret" unique ("secret")
);
CREATE INDEX "${prefix}upload_project" on "${prefix}upload" ("project_id", "id");
CREATE INDEX "${prefix}upload_user" on "${prefix}upload" ("user_id");
CREATE INDEX "${prefix}member_project_user" on "${prefix}member" ("project_id", "user_id");
CREATE INDEX "${prefix}member_group_user" on "${prefix}member" ("group_id", "user_id");
CREATE TABLE "${prefix}merge_request_version" (
  "id" integer primary key autoincrement,
  "merge_request_id" bigint not null references "${prefix}merge_request" ("id") on delete cascade,
  "base_sha" text not null,
  "start_sha" text not null,
  "head_sha" text not null,
  "created_at" text not null,
  "changes_count" text,
  constraint "merge_request_version_ends" unique ("merge_request_id", "base_sha", "head_sha")
);
CREATE TABLE "${prefix}merge_request_commit" (
  "merge_request_id" bigint not null references "${prefix}merge_request" ("id") on delete cascade,
  "sha" text not null,
  constraint "merge_request_commit_pkey" primary key ("merge_request_id", "sha")
);
CREATE INDEX "${prefix}merge_request_commit_sha" on "${prefix}merge_request_commit" ("sha");
CREATE TABLE "${prefix}merge_request_approval" (
  "merge_request_id" bigint not null references "${prefix}merge_request" ("id") on delete cascade,
  "user_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "created_at" text not null,
  constraint "merge_request_approval_pkey" primary key ("merge_request_id", "user_id")
);
CREATE INDEX "${prefix}merge_request_approval_user" on "${prefix}merge_request_approval" ("user_id");
CREATE TABLE "${prefix}discussion_note" (
  "note_id" bigint primary key references "${prefix}note" ("id") on delete cascade,
  "discussion" bigint not null,
  "resolved_at" text,
  "resolved_by_id" bigint references "${prefix}user" ("id") on delete set null,
  "position" json
);
CREATE INDEX "${prefix}discussion_note_discussion" on "${prefix}discussion_note" ("discussion");
CREATE INDEX "${prefix}discussion_note_resolver" on "${prefix}discussion_note" ("resolved_by_id");
CREATE TABLE "${prefix}user_identity" (
  "id" integer primary key autoincrement,
  "user_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "provider" text not null,
  "external_uid" text not null,
  "created_at" text not null,
  constraint "user_identity_uid_key" unique ("provider", "external_uid"),
  constraint "user_identity_user_key" unique ("user_id", "provider")
);
CREATE INDEX "${prefix}job_lane" on "${prefix}job" ("kind", "state", "run_after");
CREATE INDEX "${prefix}note_issue_updated_at" on "${prefix}note" ("issue_id", "updated_at", "id", "internal", "author_id") where "issue_id" is not null;
CREATE INDEX "${prefix}note_merge_request_updated_at" on "${prefix}note" ("merge_request_id", "updated_at", "id", "internal", "author_id") where "merge_request_id" is not null;
CREATE INDEX "${prefix}note_snippet_updated_at" on "${prefix}note" ("snippet_id", "updated_at", "id", "internal", "author_id") where "snippet_id" is not null;
CREATE INDEX "${prefix}note_epic_updated_at" on "${prefix}note" ("epic_id", "updated_at", "id", "internal", "author_id") where "epic_id" is not null;
CREATE INDEX "${prefix}event_project" on "${prefix}event" ("project_id", "created_at", "id");
CREATE INDEX "${prefix}event_author" on "${prefix}event" ("author_id", "created_at", "id");
CREATE INDEX "${prefix}event_created_at" on "${prefix}event" ("created_at", "id");
CREATE TABLE "${prefix}signal_outbox" (
  "id" integer primary key autoincrement,
  "name" text not null,
  "payload" text not null,
  "created_at" text not null
);
CREATE TABLE "${prefix}signal_consumer" (
  "name" text primary key,
  "position" bigint not null,
  "updated_at" text not null
);
CREATE UNIQUE INDEX "${prefix}upload_storage_key" on "${prefix}upload" ("storage_key");
CREATE TABLE "${prefix}upload_content" (
  "upload_id" bigint primary key references "${prefix}upload" ("id") on delete cascade,
  "content" blob not null
);
CREATE TABLE "${prefix}repository_lock" (
  "project_id" bigint primary key references "${prefix}project" ("id") on delete cascade,
  "owner" text not null,
  "beat" bigint not null
);
CREATE INDEX "${prefix}issue_project_created_at" on "${prefix}issue" ("project_id", "created_at", "id");
CREATE INDEX "${prefix}issue_project_updated_at" on "${prefix}issue" ("project_id", "updated_at", "id");
CREATE INDEX "${prefix}merge_request_project_created_at" on "${prefix}merge_request" ("project_id", "created_at", "id");
CREATE INDEX "${prefix}merge_request_project_updated_at" on "${prefix}merge_request" ("project_id", "updated_at", "id");
CREATE INDEX "${prefix}note_issue_created_at" on "${prefix}note" ("issue_id", "created_at", "id", "internal", "author_id", "system") where "issue_id" is not null;
CREATE INDEX "${prefix}note_merge_request_created_at" on "${prefix}note" ("merge_request_id", "created_at", "id", "internal", "author_id", "system") where "merge_request_id" is not null;
CREATE INDEX "${prefix}note_snippet_created_at" on "${prefix}note" ("snippet_id", "created_at", "id", "internal", "author_id", "system") where "snippet_id" is not null;
CREATE INDEX "${prefix}note_epic_created_at" on "${prefix}note" ("epic_id", "created_at", "id", "internal", "author_id", "system") where "epic_id" is not null;
CREATE INDEX "${prefix}project_created_at" on "${prefix}project" ("created_at", "id");
CREATE INDEX "${prefix}project_updated_at" on "${prefix}project" ("updated_at", "id");
CREATE INDEX "${prefix}project_last_activity_at" on "${prefix}project" ("last_activity_at", "id");
CREATE INDEX "${prefix}project_name" on "${prefix}project" ("name", "id");
CREATE INDEX "${prefix}project_path" on "${prefix}project" ("path", "id");
CREATE TABLE "${prefix}reference_change" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "user_id" bigint references "${prefix}user" ("id") on delete set null,
  "moves" json not null,
  "cause" json,
  "created_at" text not null,
  "push_options" json
);
CREATE INDEX "${prefix}reference_change_project" on "${prefix}reference_change" ("project_id", "id");
CREATE INDEX "${prefix}reference_change_user" on "${prefix}reference_change" ("user_id");
CREATE INDEX "${prefix}merge_request_source_branch" on "${prefix}merge_request" ("project_id", "source_branch", "state");
CREATE INDEX "${prefix}merge_request_target_branch" on "${prefix}merge_request" ("project_id", "target_branch", "state");
CREATE TABLE "${prefix}merge_request_reviewer" (
  "merge_request_id" bigint not null references "${prefix}merge_request" ("id") on delete cascade,
  "user_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "created_at" text not null,
  constraint "merge_request_reviewer_pkey" primary key ("merge_request_id", "user_id")
);
CREATE INDEX "${prefix}merge_request_reviewer_user" on "${prefix}merge_request_reviewer" ("user_id");
CREATE TABLE "${prefix}merge_request_check" (
  "merge_request_id" bigint primary key references "${prefix}merge_request" ("id") on delete cascade,
  "source_sha" text,
  "target_sha" text,
  "has_conflicts" boolean not null,
  "is_behind" boolean not null
);
CREATE INDEX "${prefix}ssh_key_deploy" on "${prefix}ssh_key" ("deploy", "id");
CREATE INDEX "${prefix}issue_order_title" on "${prefix}issue" ("title", "id");
CREATE INDEX "${prefix}issue_project_title" on "${prefix}issue" ("project_id", "title", "id");
CREATE INDEX "${prefix}merge_request_order_title" on "${prefix}merge_request" ("title", "id");
CREATE INDEX "${prefix}merge_request_project_title" on "${prefix}merge_request" ("project_id", "title", "id");
CREATE INDEX "${prefix}merge_request_created_at" on "${prefix}merge_request" ("created_at", "id");
CREATE INDEX "${prefix}merge_request_updated_at" on "${prefix}merge_request" ("updated_at", "id");
CREATE INDEX "${prefix}issue_moved_to" on "${prefix}issue" ("moved_to_id");
CREATE TABLE "${prefix}subscription" (
  "id" integer primary key autoincrement,
  "user_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "issue_id" bigint references "${prefix}issue" ("id") on delete cascade,
  "merge_request_id" bigint references "${prefix}merge_request" ("id") on delete cascade,
  "subscribed" boolean not null,
  constraint "subscription_issue_key" unique ("issue_id", "user_id"),
  constraint "subscription_merge_request_key" unique ("merge_request_id", "user_id")
);
CREATE INDEX "${prefix}subscription_user" on "${prefix}subscription" ("user_id");
CREATE TABLE "${prefix}issue_link" (
  "id" integer primary key autoincrement,
  "source_id" bigint not null references "${prefix}issue" ("id") on delete cascade,
  "target_id" bigint not null references "${prefix}issue" ("id") on delete cascade,
  "link_type" text not null,
  "created_at" text not null,
  "updated_at" text not null,
  constraint "issue_link_key" unique ("source_id", "target_id")
);
CREATE INDEX "${prefix}issue_link_target" on "${prefix}issue_link" ("target_id");
CREATE UNIQUE INDEX "${prefix}award_emoji_note_key" on "${prefix}award_emoji" ("note_id", "user_id", "name");
CREATE UNIQUE INDEX "${prefix}award_emoji_snippet_key" on "${prefix}award_emoji" ("snippet_id", "user_id", "name");
CREATE INDEX "${prefix}epic_group_created_at" on "${prefix}epic" ("group_id", "created_at", "id");
CREATE INDEX "${prefix}epic_group_updated_at" on "${prefix}epic" ("group_id", "updated_at", "id");
CREATE INDEX "${prefix}epic_group_title" on "${prefix}epic" ("group_id", "title", "id");
CREATE TABLE "${prefix}epic_label" (
  "epic_id" bigint not null references "${prefix}epic" ("id") on delete cascade,
  "label_id" bigint not null references "${prefix}label" ("id") on delete cascade,
  constraint "epic_label_key" primary key ("epic_id", "label_id")
);
CREATE INDEX "${prefix}epic_label_label" on "${prefix}epic_label" ("label_id");
CREATE INDEX "${prefix}deployment_project_created_at" on "${prefix}deployment" ("project_id", "created_at", "id");
CREATE INDEX "${prefix}deployment_project_updated_at" on "${prefix}deployment" ("project_id", "updated_at", "id");
CREATE INDEX "${prefix}deployment_project_iid" on "${prefix}deployment" ("project_id", "iid", "id");
CREATE TABLE "${prefix}user_status" (
  "user_id" integer not null primary key references "${prefix}user" ("id") on delete cascade,
  "emoji" text not null,
  "message" text not null,
  "availability" text not null,
  "clear_at" text
);
CREATE TABLE "${prefix}hook" (
  "id" integer primary key autoincrement,
  "scope" text not null,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "uuid" text not null,
  "url" text not null,
  "shown_url" text not null,
  "sealed_secrets" text,
  "header_names" json not null,
  "events" json not null,
  "push_events_branch_filter" text not null,
  "enable_ssl_verification" boolean default true not null,
  "site_url" text,
  "failures" bigint not null,
  "retry_at" text,
  "created_at" text not null,
  "updated_at" text not null,
  "minute" text,
  "minute_count" bigint default 0 not null,
  "limited_minutes" bigint default 0 not null
);
CREATE INDEX "${prefix}hook_scope" on "${prefix}hook" ("scope", "id");
CREATE INDEX "${prefix}hook_project" on "${prefix}hook" ("project_id");
CREATE INDEX "${prefix}hook_group" on "${prefix}hook" ("group_id");
CREATE TABLE "${prefix}commit_comment" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "sha" text not null,
  "author_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "note" text not null,
  "path" text,
  "line" bigint,
  "line_type" text,
  "created_at" text not null,
  "discussion" bigint,
  "position" json,
  "updated_at" text default '' not null
);
CREATE INDEX "${prefix}commit_comment_project_sha" on "${prefix}commit_comment" ("project_id", "sha", "id");
CREATE INDEX "${prefix}commit_comment_author" on "${prefix}commit_comment" ("author_id");
CREATE TABLE "${prefix}protected_reference" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "kind" text not null,
  "name" text not null,
  "allow_force_push" boolean default false not null,
  "code_owner_approval_required" boolean default false not null,
  "created_at" text not null
);
CREATE UNIQUE INDEX "${prefix}protected_reference_name" on "${prefix}protected_reference" ("project_id", "kind", "name");
CREATE TABLE "${prefix}protected_reference_grant" (
  "id" integer primary key autoincrement,
  "protected_reference_id" bigint not null references "${prefix}protected_reference" ("id") on delete cascade,
  "action" text not null,
  "access_level" integer,
  "user_id" bigint references "${prefix}user" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade
);
CREATE INDEX "${prefix}protected_reference_grant_protected_reference_id" on "${prefix}protected_reference_grant" ("protected_reference_id");
CREATE INDEX "${prefix}protected_reference_grant_user_id" on "${prefix}protected_reference_grant" ("user_id");
CREATE INDEX "${prefix}protected_reference_grant_group_id" on "${prefix}protected_reference_grant" ("group_id");
CREATE TABLE "${prefix}avatar" (
  "id" integer primary key autoincrement,
  "user_id" bigint references "${prefix}user" ("id") on delete cascade,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "file_name" text not null,
  "media_type" text not null,
  "content" blob not null
);
CREATE UNIQUE INDEX "${prefix}avatar_user_id" on "${prefix}avatar" ("user_id");
CREATE UNIQUE INDEX "${prefix}avatar_project_id" on "${prefix}avatar" ("project_id");
CREATE UNIQUE INDEX "${prefix}avatar_group_id" on "${prefix}avatar" ("group_id");
CREATE TABLE "${prefix}pipeline" (
  "id" integer primary key autoincrement,
  "iid" bigint not null,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "ref" text not null,
  "tag" boolean default false not null,
  "sha" text not null,
  "before_sha" text,
  "source" text not null,
  "status" text not null,
  "name" text,
  "yaml_errors" text,
  "coverage" double precision,
  "user_id" bigint references "${prefix}user" ("id") on delete set null,
  "merge_request_id" bigint references "${prefix}merge_request" ("id") on delete set null,
  "sealed_variables" text,
  "created_at" text not null,
  "updated_at" text not null,
  "started_at" text,
  "finished_at" text,
  "creation_key" text,
  "on_new_commit" text,
  "upstream_job_id" bigint references "${prefix}pipeline_job" ("id") on delete set null,
  "root_pipeline_id" bigint
);
CREATE UNIQUE INDEX "${prefix}pipeline_number" on "${prefix}pipeline" ("project_id", "iid");
CREATE INDEX "${prefix}pipeline_project_status" on "${prefix}pipeline" ("project_id", "status", "id");
CREATE INDEX "${prefix}pipeline_project_ref" on "${prefix}pipeline" ("project_id", "ref", "id");
CREATE INDEX "${prefix}pipeline_project_sha" on "${prefix}pipeline" ("project_id", "sha", "id");
CREATE INDEX "${prefix}pipeline_project_source" on "${prefix}pipeline" ("project_id", "source", "id");
CREATE INDEX "${prefix}pipeline_project_name" on "${prefix}pipeline" ("project_id", "name", "id");
CREATE INDEX "${prefix}pipeline_project_user_id" on "${prefix}pipeline" ("project_id", "user_id", "id");
CREATE INDEX "${prefix}pipeline_project_updated_at" on "${prefix}pipeline" ("project_id", "updated_at", "id");
CREATE INDEX "${prefix}pipeline_project" on "${prefix}pipeline" ("project_id", "id");
CREATE INDEX "${prefix}pipeline_user" on "${prefix}pipeline" ("user_id");
CREATE INDEX "${prefix}pipeline_merge_request" on "${prefix}pipeline" ("merge_request_id", "id");
CREATE TABLE "${prefix}pipeline_job" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "pipeline_id" bigint not null references "${prefix}pipeline" ("id") on delete cascade,
  "kind" text not null,
  "name" text not null,
  "stage" text not null,
  "stage_index" bigint not null,
  "status" text not null,
  "starts_when" text not null,
  "allow_failure" boolean default false not null,
  "retried" boolean default false not null,
  "needs" json,
  "tags" json not null,
  "environment" text,
  "coverage" double precision,
  "failure_reason" text,
  "description" text,
  "target_url" text,
  "user_id" bigint references "${prefix}user" ("id") on delete set null,
  "created_at" text not null,
  "queued_at" text,
  "started_at" text,
  "finished_at" text,
  "erased_at" text,
  "environment_options" json,
  "interruptible" boolean default false not null,
  "trigger" json,
  "start_in" text,
  "scheduled_at" text,
  "artifacts_expire_in" text
);
CREATE INDEX "${prefix}pipeline_job_project" on "${prefix}pipeline_job" ("project_id", "id");
CREATE INDEX "${prefix}pipeline_job_project_status" on "${prefix}pipeline_job" ("project_id", "status", "id");
CREATE INDEX "${prefix}pipeline_job_pipeline" on "${prefix}pipeline_job" ("pipeline_id", "id");
CREATE INDEX "${prefix}pipeline_job_user" on "${prefix}pipeline_job" ("user_id");
CREATE TABLE "${prefix}job_trace" (
  "job_id" bigint not null primary key references "${prefix}pipeline_job" ("id") on delete cascade,
  "content" text not null
);
CREATE TABLE "${prefix}job_artifact" (
  "id" integer primary key autoincrement,
  "job_id" bigint not null references "${prefix}pipeline_job" ("id") on delete cascade,
  "file_name" text not null,
  "size" bigint not null,
  "storage_key" text not null,
  "sha256" text not null,
  "expires_at" text,
  "created_at" text not null
);
CREATE UNIQUE INDEX "${prefix}job_artifact_job" on "${prefix}job_artifact" ("job_id");
CREATE INDEX "${prefix}job_artifact_storage_key" on "${prefix}job_artifact" ("storage_key");
CREATE INDEX "${prefix}personal_access_token_project_id" on "${prefix}personal_access_token" ("project_id", "id");
CREATE INDEX "${prefix}personal_access_token_group_id" on "${prefix}personal_access_token" ("group_id", "id");
CREATE INDEX "${prefix}personal_access_token_created_at" on "${prefix}personal_access_token" ("created_at", "id");
CREATE INDEX "${prefix}personal_access_token_name" on "${prefix}personal_access_token" ("name", "id");
CREATE INDEX "${prefix}personal_access_token_expires_at" on "${prefix}personal_access_token" ("expires_at", "id");
CREATE INDEX "${prefix}personal_access_token_last_used_at" on "${prefix}personal_access_token" ("last_used_at", "id");
CREATE TABLE "${prefix}deploy_token" (
  "id" integer primary key autoincrement,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "name" text not null,
  "username" text not null,
  "digest" text not null,
  "scopes" json not null,
  "expires_at" text,
  "created_at" text not null,
  constraint "deploy_token_digest_key" unique ("digest")
);
CREATE INDEX "${prefix}deploy_token_project_id" on "${prefix}deploy_token" ("project_id", "id");
CREATE INDEX "${prefix}deploy_token_group_id" on "${prefix}deploy_token" ("group_id", "id");
CREATE TABLE "${prefix}package" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "package_type" text not null,
  "name" text not null,
  "version" text not null,
  "status" text not null,
  "created_at" text not null
);
CREATE UNIQUE INDEX "${prefix}package_project_name_version" on "${prefix}package" ("project_id", "package_type", "name", "version");
CREATE INDEX "${prefix}package_order_created_at" on "${prefix}package" ("project_id", "status", "created_at", "id");
CREATE INDEX "${prefix}package_order_name" on "${prefix}package" ("project_id", "status", "name", "id");
CREATE INDEX "${prefix}package_order_version" on "${prefix}package" ("project_id", "status", "version", "id");
CREATE INDEX "${prefix}package_order_package_type" on "${prefix}package" ("project_id", "status", "package_type", "id");
CREATE TABLE "${prefix}package_file" (
  "id" integer primary key autoincrement,
  "package_id" bigint not null references "${prefix}package" ("id") on delete cascade,
  "file_name" text not null,
  "size" bigint not null,
  "sha256" text not null,
  "sha1" text not null,
  "md5" text not null,
  "storage_key" text not null,
  "created_at" text not null
);
CREATE INDEX "${prefix}package_file_package" on "${prefix}package_file" ("package_id", "id");
CREATE INDEX "${prefix}package_file_name" on "${prefix}package_file" ("package_id", "file_name", "id");
CREATE UNIQUE INDEX "${prefix}package_file_storage_key" on "${prefix}package_file" ("storage_key");
CREATE TABLE "${prefix}oauth_application" (
  "id" integer primary key autoincrement,
  "application_id" text not null,
  "secret_digest" text not null,
  "name" text not null,
  "redirect_uris" json not null,
  "scopes" json not null,
  "confidential" boolean default true not null,
  "created_at" text not null
);
CREATE UNIQUE INDEX "${prefix}oauth_application_application_id" on "${prefix}oauth_application" ("application_id");
CREATE TABLE "${prefix}oauth_record" (
  "id" integer primary key autoincrement,
  "model" text not null,
  "digest" text not null,
  "user_id" bigint references "${prefix}user" ("id") on delete cascade,
  "oauth_application_id" bigint references "${prefix}oauth_application" ("id") on delete cascade,
  "grant_digest" text,
  "uid_digest" text,
  "user_code_digest" text,
  "scopes" json,
  "sealed_payload" text not null,
  "consumed_at" text,
  "expires_at" text not null,
  "created_at" text not null
);
CREATE UNIQUE INDEX "${prefix}oauth_record_model_digest" on "${prefix}oauth_record" ("model", "digest");
CREATE INDEX "${prefix}oauth_record_user_id" on "${prefix}oauth_record" ("user_id");
CREATE INDEX "${prefix}oauth_record_oauth_application_id" on "${prefix}oauth_record" ("oauth_application_id");
CREATE INDEX "${prefix}oauth_record_grant_digest" on "${prefix}oauth_record" ("grant_digest");
CREATE INDEX "${prefix}oauth_record_uid_digest" on "${prefix}oauth_record" ("uid_digest");
CREATE INDEX "${prefix}oauth_record_user_code_digest" on "${prefix}oauth_record" ("user_code_digest");
CREATE INDEX "${prefix}oauth_record_expires_at_id" on "${prefix}oauth_record" ("expires_at", "id");
CREATE TABLE "${prefix}oauth_key" (
  "name" text primary key,
  "sealed" text not null,
  "created_at" text not null
);
CREATE TABLE "${prefix}user_password" (
  "user_id" bigint primary key references "${prefix}user" ("id") on delete cascade,
  "hash" text not null,
  "changed_at" text not null
);
CREATE TABLE "${prefix}ci_variable" (
  "id" integer primary key autoincrement,
  "scope" text not null,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "key" text not null,
  "sealed_value" text not null,
  "variable_type" text not null,
  "protected" boolean default false not null,
  "masked" boolean default false not null,
  "raw" boolean default false not null,
  "environment_scope" text not null,
  "hidden" boolean default false not null
);
CREATE UNIQUE INDEX "${prefix}ci_variable_scope" on "${prefix}ci_variable" ("scope", "key", "environment_scope");
CREATE INDEX "${prefix}ci_variable_order" on "${prefix}ci_variable" ("scope", "id");
CREATE INDEX "${prefix}ci_variable_project_id" on "${prefix}ci_variable" ("project_id");
CREATE INDEX "${prefix}ci_variable_group_id" on "${prefix}ci_variable" ("group_id");
CREATE TABLE "${prefix}pipeline_trigger" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "owner_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "description" text not null,
  "digest" text not null,
  "short_token" text not null,
  "expires_at" text,
  "created_at" text not null,
  "updated_at" text not null,
  "last_used" text
);
CREATE UNIQUE INDEX "${prefix}pipeline_trigger_digest" on "${prefix}pipeline_trigger" ("digest");
CREATE TABLE "${prefix}pipeline_schedule" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "owner_id" bigint references "${prefix}user" ("id") on delete set null,
  "description" text not null,
  "ref" text not null,
  "cron" text not null,
  "cron_timezone" text not null,
  "active" boolean default true not null,
  "next_run_at" text,
  "sealed_variables" text,
  "created_at" text not null,
  "updated_at" text not null
);
CREATE INDEX "${prefix}pipeline_trigger_project" on "${prefix}pipeline_trigger" ("project_id", "id");
CREATE INDEX "${prefix}pipeline_trigger_owner" on "${prefix}pipeline_trigger" ("owner_id");
CREATE INDEX "${prefix}pipeline_schedule_project" on "${prefix}pipeline_schedule" ("project_id", "id");
CREATE INDEX "${prefix}pipeline_schedule_owner" on "${prefix}pipeline_schedule" ("owner_id");
CREATE TABLE "${prefix}pipeline_schedule_run" (
  "schedule_id" bigint not null references "${prefix}pipeline_schedule" ("id") on delete cascade,
  "pipeline_id" bigint not null references "${prefix}pipeline" ("id") on delete cascade,
  constraint "pipeline_schedule_run_pkey" primary key ("schedule_id", "pipeline_id")
);
CREATE INDEX "${prefix}pipeline_schedule_run_pipeline" on "${prefix}pipeline_schedule_run" ("pipeline_id");
CREATE TABLE "${prefix}job_token" (
  "id" integer primary key autoincrement,
  "job_id" bigint not null references "${prefix}pipeline_job" ("id") on delete cascade,
  "digest" text not null,
  constraint "job_token_job_key" unique ("job_id"),
  constraint "job_token_digest_key" unique ("digest")
);
CREATE TABLE "${prefix}job_token_allowlist" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "target_project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "target_group_id" bigint references "${prefix}namespace" ("id") on delete cascade
);
CREATE UNIQUE INDEX "${prefix}job_token_allowlist_target_project_id" on "${prefix}job_token_allowlist" ("project_id", "target_project_id");
CREATE INDEX "${prefix}job_token_allowlist_of_target_project_id" on "${prefix}job_token_allowlist" ("target_project_id");
CREATE UNIQUE INDEX "${prefix}job_token_allowlist_target_group_id" on "${prefix}job_token_allowlist" ("project_id", "target_group_id");
CREATE INDEX "${prefix}job_token_allowlist_of_target_group_id" on "${prefix}job_token_allowlist" ("target_group_id");
CREATE UNIQUE INDEX "${prefix}deployment_job" on "${prefix}deployment" ("job_id");
CREATE UNIQUE INDEX "${prefix}pipeline_creation_key" on "${prefix}pipeline" ("creation_key");
CREATE INDEX "${prefix}pipeline_upstream_job" on "${prefix}pipeline" ("upstream_job_id");
CREATE INDEX "${prefix}pipeline_root_pipeline" on "${prefix}pipeline" ("root_pipeline_id");
CREATE TABLE "${prefix}draft_note" (
  "id" integer primary key autoincrement,
  "merge_request_id" bigint not null references "${prefix}merge_request" ("id") on delete cascade,
  "author_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "body" text not null,
  "discussion" bigint,
  "resolve_discussion" boolean default false not null,
  "commit_id" text,
  "position" json,
  "created_at" text not null,
  "updated_at" text not null
);
CREATE INDEX "${prefix}draft_note_merge_request" on "${prefix}draft_note" ("merge_request_id", "author_id", "id");
CREATE INDEX "${prefix}draft_note_author" on "${prefix}draft_note" ("author_id");
CREATE TABLE "${prefix}approval_rule" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "merge_request_id" bigint references "${prefix}merge_request" ("id") on delete cascade,
  "source_rule_id" bigint references "${prefix}approval_rule" ("id") on delete cascade,
  "name" text not null,
  "rule_type" text not null,
  "approvals_required" integer not null,
  "applies_to_all_protected_branches" boolean default false not null,
  "created_at" text not null,
  "updated_at" text not null
);
CREATE INDEX "${prefix}approval_rule_project" on "${prefix}approval_rule" ("project_id", "merge_request_id", "id");
CREATE INDEX "${prefix}approval_rule_merge_request" on "${prefix}approval_rule" ("merge_request_id", "id");
CREATE INDEX "${prefix}approval_rule_source" on "${prefix}approval_rule" ("source_rule_id");
CREATE TABLE "${prefix}approval_rule_user" (
  "rule_id" bigint not null references "${prefix}approval_rule" ("id") on delete cascade,
  "user_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  constraint "approval_rule_user_pkey" primary key ("rule_id", "user_id")
);
CREATE INDEX "${prefix}approval_rule_user_target" on "${prefix}approval_rule_user" ("user_id");
CREATE TABLE "${prefix}approval_rule_group" (
  "rule_id" bigint not null references "${prefix}approval_rule" ("id") on delete cascade,
  "group_id" bigint not null references "${prefix}namespace" ("id") on delete cascade,
  constraint "approval_rule_group_pkey" primary key ("rule_id", "group_id")
);
CREATE INDEX "${prefix}approval_rule_group_target" on "${prefix}approval_rule_group" ("group_id");
CREATE TABLE "${prefix}approval_rule_branch" (
  "rule_id" bigint not null references "${prefix}approval_rule" ("id") on delete cascade,
  "protected_reference_id" bigint not null references "${prefix}protected_reference" ("id") on delete cascade,
  constraint "approval_rule_branch_pkey" primary key ("rule_id", "protected_reference_id")
);
CREATE INDEX "${prefix}approval_rule_branch_target" on "${prefix}approval_rule_branch" ("protected_reference_id");
CREATE TABLE "${prefix}resource_event" (
  "id" integer primary key autoincrement,
  "issue_id" bigint references "${prefix}issue" ("id") on delete cascade,
  "merge_request_id" bigint references "${prefix}merge_request" ("id") on delete cascade,
  "user_id" bigint references "${prefix}user" ("id") on delete set null,
  "kind" text not null,
  "action" text not null,
  "label_id" bigint references "${prefix}label" ("id") on delete set null,
  "milestone_id" bigint references "${prefix}milestone" ("id") on delete cascade,
  "created_at" text not null,
  "epic_id" bigint references "${prefix}epic" ("id") on delete cascade,
  "weight" bigint
);
CREATE INDEX "${prefix}resource_event_issue" on "${prefix}resource_event" ("issue_id", "kind", "id");
CREATE INDEX "${prefix}resource_event_merge_request" on "${prefix}resource_event" ("merge_request_id", "kind", "id");
CREATE INDEX "${prefix}resource_event_user" on "${prefix}resource_event" ("user_id");
CREATE INDEX "${prefix}resource_event_label" on "${prefix}resource_event" ("label_id");
CREATE INDEX "${prefix}resource_event_milestone" on "${prefix}resource_event" ("milestone_id");
CREATE TABLE "${prefix}wiki_page" (
  "id" integer primary key autoincrement,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "slug" text not null,
  "title" text not null,
  "format" text not null,
  "content" text not null,
  "created_at" text not null,
  "updated_at" text not null,
  constraint "wiki_page_project_key" unique ("project_id", "slug"),
  constraint "wiki_page_group_key" unique ("group_id", "slug")
);
CREATE INDEX "${prefix}user_last_activity" on "${prefix}user" ("last_activity_on", "id");
CREATE TABLE "${prefix}badge" (
  "id" integer primary key autoincrement,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "name" text,
  "link_url" text not null,
  "image_url" text not null,
  "created_at" text not null
);
CREATE INDEX "${prefix}badge_project" on "${prefix}badge" ("project_id", "id");
CREATE INDEX "${prefix}badge_group" on "${prefix}badge" ("group_id", "id");
CREATE TABLE "${prefix}topic" (
  "id" integer primary key autoincrement,
  "name" text not null,
  "title" text not null,
  "description" text,
  "created_at" text not null
);
CREATE UNIQUE INDEX "${prefix}topic_name_key" on "${prefix}topic" (lower("name"));
CREATE TABLE "${prefix}project_topic" (
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "topic_id" bigint not null references "${prefix}topic" ("id") on delete cascade,
  constraint "project_topic_key" primary key ("project_id", "topic_id")
);
CREATE INDEX "${prefix}project_topic_topic" on "${prefix}project_topic" ("topic_id", "project_id");
CREATE TABLE "${prefix}board" (
  "id" integer primary key autoincrement,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "name" text not null,
  "hide_backlog_list" boolean default false not null,
  "hide_closed_list" boolean default false not null,
  "milestone_id" bigint references "${prefix}milestone" ("id") on delete set null,
  "assignee_id" bigint references "${prefix}user" ("id") on delete set null,
  "weight" integer,
  "created_at" text not null
);
CREATE INDEX "${prefix}board_project" on "${prefix}board" ("project_id", "id");
CREATE INDEX "${prefix}board_group" on "${prefix}board" ("group_id", "id");
CREATE INDEX "${prefix}board_milestone" on "${prefix}board" ("milestone_id");
CREATE INDEX "${prefix}board_assignee" on "${prefix}board" ("assignee_id");
CREATE TABLE "${prefix}board_label" (
  "board_id" bigint not null references "${prefix}board" ("id") on delete cascade,
  "label_id" bigint not null references "${prefix}label" ("id") on delete cascade,
  constraint "board_label_key" primary key ("board_id", "label_id")
);
CREATE INDEX "${prefix}board_label_label" on "${prefix}board_label" ("label_id");
CREATE TABLE "${prefix}board_list" (
  "id" integer primary key autoincrement,
  "board_id" bigint not null references "${prefix}board" ("id") on delete cascade,
  "label_id" bigint references "${prefix}label" ("id") on delete cascade,
  "milestone_id" bigint references "${prefix}milestone" ("id") on delete cascade,
  "assignee_id" bigint references "${prefix}user" ("id") on delete cascade,
  "position" integer not null
);
CREATE INDEX "${prefix}board_list_board" on "${prefix}board_list" ("board_id", "position", "id");
CREATE INDEX "${prefix}board_list_label" on "${prefix}board_list" ("label_id");
CREATE INDEX "${prefix}board_list_milestone" on "${prefix}board_list" ("milestone_id");
CREATE INDEX "${prefix}board_list_assignee" on "${prefix}board_list" ("assignee_id");
CREATE TABLE "${prefix}broadcast_message" (
  "id" integer primary key autoincrement,
  "message" text not null,
  "starts_at" text not null,
  "ends_at" text not null,
  "broadcast_type" text not null,
  "theme" text not null,
  "dismissable" boolean default false not null,
  "target_path" text,
  "target_access_levels" json not null,
  "created_at" text not null
);
CREATE UNIQUE INDEX "${prefix}award_emoji_epic_key" on "${prefix}award_emoji" ("epic_id", "user_id", "name");
CREATE INDEX "${prefix}resource_event_epic" on "${prefix}resource_event" ("epic_id", "kind", "id");
CREATE TABLE "${prefix}epic_issue" (
  "id" integer primary key autoincrement,
  "epic_id" bigint not null references "${prefix}epic" ("id") on delete cascade,
  "issue_id" bigint not null unique references "${prefix}issue" ("id") on delete cascade,
  "relative_position" bigint not null
);
CREATE INDEX "${prefix}epic_issue_position" on "${prefix}epic_issue" ("epic_id", "relative_position", "id");
CREATE INDEX "${prefix}issue_project_position" on "${prefix}issue" ("project_id", coalesce(relative_position, id * 1048576), "id");
CREATE TABLE "${prefix}invitation" (
  "id" integer primary key autoincrement,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "email" text not null,
  "access_level" integer not null,
  "expires_at" text,
  "created_by_id" bigint references "${prefix}user" ("id") on delete set null,
  "created_at" text not null
);
CREATE UNIQUE INDEX "${prefix}invitation_project_id_email" on "${prefix}invitation" ("project_id", lower(email));
CREATE UNIQUE INDEX "${prefix}invitation_group_id_email" on "${prefix}invitation" ("group_id", lower(email));
CREATE INDEX "${prefix}invitation_project" on "${prefix}invitation" ("project_id", "id");
CREATE INDEX "${prefix}invitation_group" on "${prefix}invitation" ("group_id", "id");
CREATE INDEX "${prefix}invitation_email" on "${prefix}invitation" (lower(email), "id");
CREATE INDEX "${prefix}invitation_created_by" on "${prefix}invitation" ("created_by_id");
CREATE TABLE "${prefix}gpg_key" (
  "id" integer primary key autoincrement,
  "user_id" bigint not null references "${prefix}user" ("id") on delete cascade,
  "key" text not null,
  "fingerprint" text not null,
  "created_at" text not null,
  constraint "gpg_key_fingerprint_key" unique ("fingerprint")
);
CREATE INDEX "${prefix}gpg_key_user" on "${prefix}gpg_key" ("user_id", "id");
CREATE TABLE "${prefix}push_rule" (
  "id" integer primary key autoincrement,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "max_file_size" integer not null,
  "created_at" text not null,
  "commit_message_regex" text not null,
  "commit_message_negative_regex" text not null,
  "branch_name_regex" text not null,
  "author_email_regex" text not null,
  "file_name_regex" text not null,
  "deny_delete_tag" boolean default false not null,
  "member_check" boolean default false not null,
  "prevent_secrets" boolean default false not null,
  "commit_committer_check" boolean default false not null,
  "commit_committer_name_check" boolean default false not null,
  "reject_unsigned_commits" boolean default false not null,
  "reject_non_dco_commits" boolean default false not null,
  constraint "push_rule_project_key" unique ("project_id"),
  constraint "push_rule_group_key" unique ("group_id")
);
CREATE TABLE "${prefix}instance_feature" (
  "id" integer primary key autoincrement,
  "name" text not null,
  "enabled" boolean default false not null,
  "percentage_of_actors" integer,
  "percentage_of_time" integer,
  "actors" json not null,
  "feature_groups" json not null,
  "created_at" text not null,
  constraint "instance_feature_name_key" unique ("name")
);
CREATE TABLE "${prefix}appearance" (
  "id" integer primary key,
  "email_header_and_footer_enabled" boolean default false not null,
  "updated_at" text not null,
  "title" text not null,
  "description" text not null,
  "pwa_name" text not null,
  "pwa_short_name" text not null,
  "pwa_description" text not null,
  "new_project_guidelines" text not null,
  "profile_image_guidelines" text not null,
  "member_guidelines" text not null,
  "header_message" text not null,
  "footer_message" text not null,
  "message_background_color" text not null,
  "message_font_color" text not null
);
CREATE TABLE "${prefix}secure_file" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "name" text not null,
  "size" bigint not null,
  "storage_key" text not null,
  "sha256" text not null,
  "created_at" text not null,
  constraint "secure_file_project_name_key" unique ("project_id", "name"),
  constraint "secure_file_storage_key_key" unique ("storage_key")
);
CREATE INDEX "${prefix}secure_file_project" on "${prefix}secure_file" ("project_id", "id");
CREATE TABLE "${prefix}archive_export" (
  "id" integer primary key autoincrement,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "user_id" bigint references "${prefix}user" ("id") on delete set null,
  "status" text not null,
  "error" text,
  "storage_key" text,
  "created_at" text not null,
  "description" text,
  "size" bigint,
  "finished_at" text,
  "expires_at" text
);
CREATE TABLE "${prefix}archive_import" (
  "id" integer primary key autoincrement,
  "project_id" bigint references "${prefix}project" ("id") on delete cascade,
  "group_id" bigint references "${prefix}namespace" ("id") on delete cascade,
  "user_id" bigint references "${prefix}user" ("id") on delete set null,
  "status" text not null,
  "error" text,
  "storage_key" text,
  "created_at" text not null,
  "correlation_id" text not null,
  "options" json not null
);
CREATE UNIQUE INDEX "${prefix}archive_export_project" on "${prefix}archive_export" ("project_id");
CREATE UNIQUE INDEX "${prefix}archive_export_group" on "${prefix}archive_export" ("group_id");
CREATE INDEX "${prefix}archive_export_user" on "${prefix}archive_export" ("user_id");
CREATE INDEX "${prefix}archive_export_storage_key" on "${prefix}archive_export" ("storage_key");
CREATE UNIQUE INDEX "${prefix}archive_import_project" on "${prefix}archive_import" ("project_id");
CREATE UNIQUE INDEX "${prefix}archive_import_group" on "${prefix}archive_import" ("group_id");
CREATE INDEX "${prefix}archive_import_user" on "${prefix}archive_import" ("user_id");
CREATE INDEX "${prefix}archive_import_storage_key" on "${prefix}archive_import" ("storage_key");
CREATE INDEX "${prefix}archive_export_expires" on "${prefix}archive_export" ("expires_at");
CREATE TABLE "${prefix}release_evidence" (
  "id" integer primary key autoincrement,
  "release_id" bigint not null references "${prefix}release" ("id") on delete cascade,
  "sha" text not null,
  "data" text not null,
  "collected_at" text not null
);
CREATE INDEX "${prefix}release_evidence_release" on "${prefix}release_evidence" ("release_id", "id");
CREATE TABLE "${prefix}hook_event" (
  "id" integer primary key autoincrement,
  "kind" text not null,
  "payload" json not null,
  "is_complete" boolean default false not null,
  "created_at" text not null
);
CREATE TABLE "${prefix}hook_delivery" (
  "id" integer primary key autoincrement,
  "hook_id" bigint not null references "${prefix}hook" ("id") on delete cascade,
  "event_id" bigint not null references "${prefix}hook_event" ("id") on delete cascade,
  "idempotency_key" text not null,
  "state" text not null,
  "attempts" bigint not null,
  "result" json,
  "chain" text default '' not null,
  "chain_call" text
);
CREATE INDEX "${prefix}hook_delivery_queue" on "${prefix}hook_delivery" ("hook_id", "id") where "state" = 'pending';
CREATE INDEX "${prefix}hook_delivery_log" on "${prefix}hook_delivery" ("hook_id", "id");
CREATE INDEX "${prefix}hook_delivery_event" on "${prefix}hook_delivery" ("event_id");
CREATE INDEX "${prefix}hook_event_age" on "${prefix}hook_event" ("created_at", "id");
CREATE INDEX "${prefix}merge_request_source" on "${prefix}merge_request" ("source_project_id", "source_branch");
CREATE INDEX "${prefix}job_artifact_expires" on "${prefix}job_artifact" ("expires_at", "id");
CREATE INDEX "${prefix}hook_delivery_chain" on "${prefix}hook_delivery" ("chain", "hook_id");
CREATE INDEX "${prefix}personal_access_token_family" on "${prefix}personal_access_token" ("family_id", "id");
CREATE TABLE "${prefix}page_session" (
  "digest" text primary key,
  "expires_at" text not null
);
CREATE INDEX "${prefix}page_session_expiry" on "${prefix}page_session" ("expires_at");
CREATE INDEX "${prefix}issue_project_weight" on "${prefix}issue" ("project_id", "weight", "id");
CREATE INDEX "${prefix}issue_weight" on "${prefix}issue" ("weight", "id") where "weight" is not null;
CREATE INDEX "${prefix}deployment_project_finished_at" on "${prefix}deployment" ("project_id", "finished_at", "id");
CREATE TABLE "${prefix}deployment_merge_request" (
  "merge_request_id" bigint not null references "${prefix}merge_request" ("id") on delete cascade,
  "deployment_id" bigint not null references "${prefix}deployment" ("id") on delete cascade,
  constraint "deployment_merge_request_key" primary key ("merge_request_id", "deployment_id")
);
CREATE INDEX "${prefix}deployment_merge_request_deployment" on "${prefix}deployment_merge_request" ("deployment_id");
CREATE INDEX "${prefix}user_order_name" on "${prefix}user" ("name", "id");
CREATE INDEX "${prefix}user_order_username" on "${prefix}user" ("username", "id");
CREATE INDEX "${prefix}user_order_created_at" on "${prefix}user" ("created_at", "id");
CREATE INDEX "${prefix}user_order_updated_at" on "${prefix}user" ("updated_at", "id");
CREATE INDEX "${prefix}user_public_email" on "${prefix}user" (lower(public_email));
CREATE INDEX "${prefix}project_importer" on "${prefix}project" ("importer_id") where "importer_id" is not null;
CREATE TABLE "${prefix}contributor_count" (
  "id" integer primary key autoincrement,
  "project_id" bigint not null references "${prefix}project" ("id") on delete cascade,
  "commit_id" text not null,
  "commits" bigint not null,
  "is_complete" boolean default false not null,
  "created_at" text not null
);
CREATE UNIQUE INDEX "${prefix}contributor_count_commit" on "${prefix}contributor_count" ("project_id", "commit_id");
CREATE TABLE "${prefix}contributor" (
  "count_id" bigint not null references "${prefix}contributor_count" ("id") on delete cascade,
  "email" text not null,
  "name" text not null,
  "email_key" text not null,
  "name_key" text not null,
  "commits" bigint not null,
  "additions" bigint not null,
  "deletions" bigint not null,
  constraint "contributor_key" primary key ("count_id", "email")
);
CREATE INDEX "${prefix}contributor_commits" on "${prefix}contributor" ("count_id", "commits");
CREATE INDEX "${prefix}contributor_name_key" on "${prefix}contributor" ("count_id", "name_key");
CREATE INDEX "${prefix}contributor_email_key" on "${prefix}contributor" ("count_id", "email_key");
`
