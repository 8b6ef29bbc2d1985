/** Labels, milestones, issues, epics and boards. */
export const planning = `
-- A label belongs to either a project or a group; the other id is null.
create table {label} (
  id {ID},
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  name text not null,
  color text not null,
  description text,
  created_at text not null,
  updated_at text not null,
  constraint label_project_name_key unique (project_id, name),
  constraint label_group_name_key unique (group_id, name)
);
create index {#label_name} on {label} (name);

-- The priorities of labels in a project, including labels of its groups.
create table {label_priority} (
  label_id bigint not null references {label} (id) on delete cascade,
  project_id bigint not null references {project} (id) on delete cascade,
  priority integer not null,
  constraint label_priority_pkey primary key (label_id, project_id)
);
create index {#label_priority_project} on {label_priority} (project_id);

-- A milestone of exactly one of a project and a group.
create table {milestone} (
  id {ID},
  iid bigint not null,
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  title text not null,
  description text,
  state text not null,
  start_date text,
  due_date text,
  created_at text not null,
  updated_at text not null,
  constraint milestone_project_iid_key unique (project_id, iid),
  constraint milestone_group_iid_key unique (group_id, iid),
  constraint milestone_project_title_key unique (project_id, title),
  constraint milestone_group_title_key unique (group_id, title)
);
create index {#milestone_title} on {milestone} (title);

create table {issue} (
  id {ID},
  iid bigint not null,
  project_id bigint not null references {project} (id) on delete cascade,
  author_id bigint not null references {user} (id) on delete cascade,
  title text not null,
  description text,
  state text not null,
  issue_type text not null default 'issue',
  confidential boolean not null default false,
  discussion_locked boolean not null default false,
  milestone_id bigint references {milestone} (id) on delete set null,
  due_date text,
  created_at text not null,
  updated_at text not null,
  closed_at text,
  closed_by_id bigint references {user} (id) on delete set null,
  time_estimate integer not null default 0,
  total_time_spent integer not null default 0,
  moved_to_id bigint references {issue} (id) on delete set null,
  relative_position bigint,
  weight bigint,
  health_status text,
  constraint issue_iid_key unique (project_id, iid)
);
create index {#issue_short_title} on {issue} (lower(title)) where length(title) < 3;
create index {#issue_short_description} on {issue} (lower(description)) where length(description) < 3;
create index {#issue_author} on {issue} (author_id);
create index {#issue_milestone} on {issue} (milestone_id) where milestone_id is not null;
create index {#issue_confidential} on {issue} (author_id) where confidential = true;
create index {#issue_created} on {issue} (created_at);
create index {#issue_updated} on {issue} (updated_at);
create index {#issue_closed_by} on {issue} (closed_by_id) where closed_by_id is not null;
create index {#issue_project_created_at} on {issue} (project_id, created_at, id);
create index {#issue_project_updated_at} on {issue} (project_id, updated_at, id);
create index {#issue_due} on {issue} (due_date, id) where due_date is not null;
create index {#issue_order_title} on {issue} (title, id);
create index {#issue_project_title} on {issue} (project_id, title, id);
create index {#issue_moved_to} on {issue} (moved_to_id);
create index {#issue_project_position} on {issue} (project_id, coalesce(relative_position, id * 1048576), id);
create index {#issue_project_weight} on {issue} (project_id, weight, id);
create index {#issue_weight} on {issue} (weight, id) where weight is not null;
create index {#issue_health_status} on {issue} (health_status, id) where health_status is not null;

create table {issue_assignee} (
  issue_id bigint not null references {issue} (id) on delete cascade,
  user_id bigint not null references {user} (id) on delete cascade,
  primary key (issue_id, user_id)
) {WITHOUT_ROWID};
create index {#issue_assignee_user} on {issue_assignee} (user_id, issue_id);

create table {issue_label} (
  issue_id bigint not null references {issue} (id) on delete cascade,
  label_id bigint not null references {label} (id) on delete cascade,
  primary key (issue_id, label_id)
) {WITHOUT_ROWID};
create index {#issue_label_label} on {issue_label} (label_id, issue_id);

create table {issue_link} (
  id {ID},
  source_id bigint not null references {issue} (id) on delete cascade,
  target_id bigint not null references {issue} (id) on delete cascade,
  link_type text not null,
  created_at text not null,
  updated_at text not null,
  constraint issue_link_key unique (source_id, target_id)
);
create index {#issue_link_target} on {issue_link} (target_id);

-- A large piece of work of a group.
create table {epic} (
  id {ID},
  iid bigint not null,
  group_id bigint not null references {namespace} (id) on delete cascade,
  author_id bigint not null references {user} (id) on delete cascade,
  title text not null,
  description text,
  state text not null,
  confidential boolean not null default false,
  created_at text not null,
  updated_at text not null,
  closed_at text,
  closed_by_id bigint references {user} (id) on delete set null,
  start_date text,
  due_date text,
  color text,
  start_date_is_fixed boolean not null default false,
  due_date_is_fixed boolean not null default false,
  constraint epic_iid_key unique (group_id, iid)
);
create index {#epic_author} on {epic} (author_id);
create index {#epic_closed_by} on {epic} (closed_by_id);
create index {#epic_group_created_at} on {epic} (group_id, created_at, id);
create index {#epic_group_updated_at} on {epic} (group_id, updated_at, id);
create index {#epic_group_title} on {epic} (group_id, title, id);

create table {epic_link} (
  id bigint primary key references {epic} (id) on delete cascade,
  parent_id bigint not null references {epic} (id) on delete cascade,
  relative_position bigint not null
);
create index {#epic_link_position} on {epic_link} (parent_id, relative_position, id);

create table {epic_label} (
  epic_id bigint not null references {epic} (id) on delete cascade,
  label_id bigint not null references {label} (id) on delete cascade,
  constraint epic_label_key primary key (epic_id, label_id)
);
create index {#epic_label_label} on {epic_label} (label_id);

create table {epic_issue} (
  id {ID},
  epic_id bigint not null references {epic} (id) on delete cascade,
  issue_id bigint not null unique references {issue} (id) on delete cascade,
  relative_position bigint not null
);
create index {#epic_issue_position} on {epic_issue} (epic_id, relative_position, id);

-- An issue board of exactly one of a project and a group.
create table {board} (
  id {ID},
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  name text not null,
  hide_backlog_list boolean not null default false,
  hide_closed_list boolean not null default false,
  milestone_id bigint references {milestone} (id) on delete set null,
  assignee_id bigint references {user} (id) on delete set null,
  weight integer,
  created_at text not null
);
create index {#board_project} on {board} (project_id, id);
create index {#board_group} on {board} (group_id, id);
create index {#board_milestone} on {board} (milestone_id);
create index {#board_assignee} on {board} (assignee_id);

-- The labels of the issues that a board shows.
create table {board_label} (
  board_id bigint not null references {board} (id) on delete cascade,
  label_id bigint not null references {label} (id) on delete cascade,
  constraint board_label_key primary key (board_id, label_id)
);
create index {#board_label_label} on {board_label} (label_id);

-- A column of a board, for exactly one of a label, a milestone and an assignee.
create table {board_list} (
  id {ID},
  board_id bigint not null references {board} (id) on delete cascade,
  label_id bigint references {label} (id) on delete cascade,
  milestone_id bigint references {milestone} (id) on delete cascade,
  assignee_id bigint references {user} (id) on delete cascade,
  position integer not null
);
create index {#board_list_board} on {board_list} (board_id, position, id);
create index {#board_list_label} on {board_list} (label_id);
create index {#board_list_milestone} on {board_list} (milestone_id);
create index {#board_list_assignee} on {board_list} (assignee_id);
`
