/** Snippets, comments, reactions, events, to-do items and notification settings. */
export const discussions = `
-- A personal snippet or one of a project.
create table {snippet} (
  id {ID},
  project_id bigint references {project} (id) on delete cascade,
  author_id bigint not null references {user} (id) on delete cascade,
  title text not null,
  file_name text not null,
  description text,
  content text not null,
  visibility text not null,
  created_at text not null,
  updated_at text not null
);
create index {#snippet_author} on {snippet} (author_id, created_at, id);
create index {#snippet_project} on {snippet} (project_id, visibility, created_at, id);

-- A file of a snippet in addition to the first one.
create table {snippet_file} (
  id {ID},
  snippet_id bigint not null references {snippet} (id) on delete cascade,
  path text not null,
  content text not null,
  constraint snippet_file_key unique (snippet_id, path)
);

-- User agent and IP address of the request that created a snippet.
create table {snippet_origin} (
  snippet_id bigint not null primary key references {snippet} (id) on delete cascade,
  user_agent text not null,
  ip_address text not null
);

-- A comment or system note of exactly one noteable.
create table {note} (
  id {ID},
  issue_id bigint references {issue} (id) on delete cascade,
  merge_request_id bigint references {merge_request} (id) on delete cascade,
  snippet_id bigint references {snippet} (id) on delete cascade,
  epic_id bigint references {epic} (id) on delete cascade,
  author_id bigint not null references {user} (id) on delete cascade,
  body text not null,
  system boolean not null default false,
  created_at text not null,
  updated_at text not null,
  type text,
  internal boolean not null default false
);
create index {#note_author} on {note} (author_id);
create index {#note_issue_updated_at} on {note} (issue_id, updated_at, id, internal, author_id) where issue_id is not null;
create index {#note_merge_request_updated_at} on {note} (merge_request_id, updated_at, id, internal, author_id) where merge_request_id is not null;
create index {#note_snippet_updated_at} on {note} (snippet_id, updated_at, id, internal, author_id) where snippet_id is not null;
create index {#note_epic_updated_at} on {note} (epic_id, updated_at, id, internal, author_id) where epic_id is not null;
create index {#note_issue_created_at} on {note} (issue_id, created_at, id, internal, author_id, system) where issue_id is not null;
create index {#note_merge_request_created_at} on {note} (merge_request_id, created_at, id, internal, author_id, system) where merge_request_id is not null;
create index {#note_snippet_created_at} on {note} (snippet_id, created_at, id, internal, author_id, system) where snippet_id is not null;
create index {#note_epic_created_at} on {note} (epic_id, created_at, id, internal, author_id, system) where epic_id is not null;

-- A note of a discussion. An individual note has no row.
create table {discussion_note} (
  note_id bigint primary key references {note} (id) on delete cascade,
  discussion bigint not null,
  resolved_at text,
  resolved_by_id bigint references {user} (id) on delete set null,
  position json,
  commit_sha text
);
create index {#discussion_note_discussion} on {discussion_note} (discussion);
create index {#discussion_note_resolver} on {discussion_note} (resolved_by_id);

-- A change of lines that a note on the diff of a merge request proposes.
create table {suggestion} (
  id {ID},
  note_id bigint not null references {note} (id) on delete cascade,
  path text not null,
  head_sha text not null,
  from_line bigint not null,
  to_line bigint not null,
  from_content text not null,
  to_content text not null,
  outdated boolean not null default false,
  commit_id text
);
create index {#suggestion_note} on {suggestion} (note_id, id);

-- A comment on a merge request that only its author sees until it is published.
create table {draft_note} (
  id {ID},
  merge_request_id bigint not null references {merge_request} (id) on delete cascade,
  author_id bigint not null references {user} (id) on delete cascade,
  body text not null,
  discussion bigint,
  resolve_discussion boolean not null default false,
  commit_id text,
  position json,
  created_at text not null,
  updated_at text not null
);
create index {#draft_note_merge_request} on {draft_note} (merge_request_id, author_id, id);
create index {#draft_note_author} on {draft_note} (author_id);

-- An emoji that a user gave to exactly one of an issue, a merge request, a note, a snippet and an epic.
create table {award_emoji} (
  id {ID},
  user_id bigint not null references {user} (id) on delete cascade,
  name text not null,
  issue_id bigint references {issue} (id) on delete cascade,
  merge_request_id bigint references {merge_request} (id) on delete cascade,
  created_at text not null,
  note_id bigint references {note} (id) on delete cascade,
  snippet_id bigint references {snippet} (id) on delete cascade,
  epic_id bigint references {epic} (id) on delete cascade,
  constraint award_emoji_issue_key unique (issue_id, user_id, name),
  constraint award_emoji_merge_request_key unique (merge_request_id, user_id, name)
);
create index {#award_emoji_user} on {award_emoji} (user_id, name);
create unique index {#award_emoji_note_key} on {award_emoji} (note_id, user_id, name);
create unique index {#award_emoji_snippet_key} on {award_emoji} (snippet_id, user_id, name);
create unique index {#award_emoji_epic_key} on {award_emoji} (epic_id, user_id, name);

create table {label_subscription} (
  id {ID},
  label_id bigint not null references {label} (id) on delete cascade,
  project_id bigint references {project} (id) on delete cascade,
  user_id bigint not null references {user} (id) on delete cascade
);
create unique index {#label_subscription_key} on {label_subscription} (label_id, user_id, coalesce(project_id, 0));
create index {#label_subscription_project} on {label_subscription} (project_id);
create index {#label_subscription_user} on {label_subscription} (user_id);

-- The choice of a user for exactly one of an issue, a merge request and an epic. Without a row, participants are subscribed.
create table {subscription} (
  id {ID},
  user_id bigint not null references {user} (id) on delete cascade,
  issue_id bigint references {issue} (id) on delete cascade,
  merge_request_id bigint references {merge_request} (id) on delete cascade,
  epic_id bigint references {epic} (id) on delete cascade,
  subscribed boolean not null,
  constraint subscription_issue_key unique (issue_id, user_id),
  constraint subscription_merge_request_key unique (merge_request_id, user_id),
  constraint subscription_epic_key unique (epic_id, user_id)
);
create index {#subscription_user} on {subscription} (user_id);

-- An action of a user in a project.
create table {event} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  author_id bigint not null references {user} (id) on delete cascade,
  action text not null,
  target_kind text,
  issue_id bigint references {issue} (id) on delete cascade,
  merge_request_id bigint references {merge_request} (id) on delete cascade,
  milestone_id bigint references {milestone} (id) on delete cascade,
  snippet_id bigint references {snippet} (id) on delete cascade,
  note_id bigint references {note} (id) on delete cascade,
  push json,
  created_at text not null,
  internal boolean not null default false
);
create index {#event_issue} on {event} (issue_id) where issue_id is not null;
create index {#event_merge_request} on {event} (merge_request_id) where merge_request_id is not null;
create index {#event_milestone} on {event} (milestone_id) where milestone_id is not null;
create index {#event_snippet} on {event} (snippet_id) where snippet_id is not null;
create index {#event_note} on {event} (note_id) where note_id is not null;
create index {#event_project} on {event} (project_id, created_at, id);
create index {#event_author} on {event} (author_id, created_at, id);
create index {#event_created_at} on {event} (created_at, id);

-- At most one of issue_id, merge_request_id and epic_id is set.
create table {todo} (
  id {ID},
  user_id bigint not null references {user} (id) on delete cascade,
  author_id bigint not null references {user} (id) on delete cascade,
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  issue_id bigint references {issue} (id) on delete cascade,
  merge_request_id bigint references {merge_request} (id) on delete cascade,
  epic_id bigint references {epic} (id) on delete cascade,
  note_id bigint references {note} (id) on delete cascade,
  action text not null,
  state text not null,
  created_at text not null,
  updated_at text not null
);
create index {#todo_list} on {todo} (user_id, state, id);
create index {#todo_author} on {todo} (author_id);
create index {#todo_project_id} on {todo} (project_id) where project_id is not null;
create index {#todo_group_id} on {todo} (group_id) where group_id is not null;
create index {#todo_note_id} on {todo} (note_id) where note_id is not null;
create index {#todo_issue} on {todo} (issue_id, user_id) where issue_id is not null;
create unique index {#todo_pending_issue} on {todo} (issue_id, user_id, action) where state = 'pending' and issue_id is not null and action not in ('mentioned', 'directly_addressed');
create index {#todo_merge_request} on {todo} (merge_request_id, user_id) where merge_request_id is not null;
create unique index {#todo_pending_merge_request} on {todo} (merge_request_id, user_id, action) where state = 'pending' and merge_request_id is not null and action not in ('mentioned', 'directly_addressed');
create index {#todo_epic} on {todo} (epic_id, user_id) where epic_id is not null;
create unique index {#todo_pending_epic} on {todo} (epic_id, user_id, action) where state = 'pending' and epic_id is not null and action not in ('mentioned', 'directly_addressed');

-- A user's setting for a project, for a group and everything below it, or a global setting if both ids are null.
create table {notification_setting} (
  id {ID},
  user_id bigint not null references {user} (id) on delete cascade,
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  level text not null,
  notification_email text,
  events json not null,
  created_at text not null,
  updated_at text not null,
  constraint notification_setting_project_key unique (project_id, user_id),
  constraint notification_setting_group_key unique (group_id, user_id)
);
create index {#notification_setting_user} on {notification_setting} (user_id);
create unique index {#notification_setting_global} on {notification_setting} (user_id) where project_id is null and group_id is null;

-- A user was notified of an event.
create table {notification} (
  id {ID},
  user_id bigint not null references {user} (id) on delete cascade,
  event_key text not null,
  event text not null,
  reason text not null,
  target_kind text not null,
  target_id bigint not null,
  note_id bigint,
  author_id bigint references {user} (id) on delete set null,
  site_url text,
  mail_state text not null,
  created_at text not null,
  constraint notification_key unique (event_key, user_id)
);
create index {#notification_user} on {notification} (user_id, id);
create index {#notification_author} on {notification} (author_id);
create index {#notification_created} on {notification} (created_at);

-- A change of the labels, the milestone, the state or the weight of exactly one issue, merge request or epic.
create table {resource_event} (
  id {ID},
  issue_id bigint references {issue} (id) on delete cascade,
  merge_request_id bigint references {merge_request} (id) on delete cascade,
  user_id bigint references {user} (id) on delete set null,
  kind text not null,
  action text not null,
  label_id bigint references {label} (id) on delete set null,
  milestone_id bigint references {milestone} (id) on delete cascade,
  created_at text not null,
  epic_id bigint references {epic} (id) on delete cascade,
  weight bigint,
  state text
);
create index {#resource_event_issue} on {resource_event} (issue_id, kind, id);
create index {#resource_event_merge_request} on {resource_event} (merge_request_id, kind, id);
create index {#resource_event_user} on {resource_event} (user_id);
create index {#resource_event_label} on {resource_event} (label_id);
create index {#resource_event_milestone} on {resource_event} (milestone_id);
create index {#resource_event_epic} on {resource_event} (epic_id, kind, id);

-- A file that texts of a project link to.
create table {upload} (
  id {ID},
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  secret text not null,
  file_name text not null,
  size bigint not null,
  user_id bigint references {user} (id) on delete set null,
  created_at text not null,
  storage_key text not null,
  sha256 text not null,
  constraint upload_secret unique (secret)
);
create index {#upload_project} on {upload} (project_id, id);
create index {#upload_group} on {upload} (group_id, id);
create index {#upload_user} on {upload} (user_id);
create unique index {#upload_storage_key} on {upload} (storage_key);
`
