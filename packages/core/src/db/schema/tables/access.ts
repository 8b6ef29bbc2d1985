/** Who may do what in namespaces and projects. */
export const access = `
-- A direct membership of exactly one of a project and a group.
create table {member} (
  id {ID},
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  user_id bigint not null references {user} (id) on delete cascade,
  access_level integer not null,
  expires_at text,
  created_at text not null,
  synced_level integer,
  overridden_at text,
  updated_at text,
  created_by_id bigint references {user} (id) on delete set null,
  constraint member_project_key unique (user_id, project_id),
  constraint member_group_key unique (user_id, group_id)
);
create index {#member_project} on {member} (project_id, id);
create index {#member_group} on {member} (group_id, id);
create index {#member_expiry} on {member} (expires_at);
create index {#member_created_by} on {member} (created_by_id);
create index {#member_project_user} on {member} (project_id, user_id);
create index {#member_group_user} on {member} (group_id, user_id);

-- A project or a group shared with another group; its members get at most access_level.
create table {share} (
  id {ID},
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  with_group_id bigint not null references {namespace} (id) on delete cascade,
  access_level integer not null,
  expires_at text,
  created_at text not null,
  constraint share_project_key unique (project_id, with_group_id),
  constraint share_group_key unique (group_id, with_group_id)
);
create index {#share_with_group} on {share} (with_group_id);

-- A user's request for membership in exactly one of a project and a group. Grants no access.
create table {access_request} (
  id {ID},
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  user_id bigint not null references {user} (id) on delete cascade,
  created_at text not null,
  constraint access_request_project_key unique (project_id, user_id),
  constraint access_request_group_key unique (group_id, user_id)
);
create index {#access_request_user} on {access_request} (user_id);

-- An e-mail address that is invited to exactly one of a project and a group. Grants no access until a user has the address.
create table {invitation} (
  id {ID},
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  email text not null,
  access_level integer not null,
  expires_at text,
  created_by_id bigint references {user} (id) on delete set null,
  created_at text not null
);
create unique index {#invitation_project_id_email} on {invitation} (project_id, lower(email));
create unique index {#invitation_group_id_email} on {invitation} (group_id, lower(email));
create index {#invitation_project} on {invitation} (project_id, id);
create index {#invitation_group} on {invitation} (group_id, id);
create index {#invitation_email} on {invitation} (lower(email), id);
create index {#invitation_created_by} on {invitation} (created_by_id);

create table {personal_access_token} (
  id {ID},
  user_id bigint not null references {user} (id) on delete cascade,
  name text not null,
  description text,
  digest text not null,
  scopes json not null,
  expires_at text,
  revoked_at text,
  created_at text not null,
  impersonation boolean not null default false,
  last_used_at text,
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  family_id bigint,
  constraint personal_access_token_digest_key unique (digest)
);
create index {#personal_access_token_user} on {personal_access_token} (user_id);
create index {#personal_access_token_project_id} on {personal_access_token} (project_id, id);
create index {#personal_access_token_group_id} on {personal_access_token} (group_id, id);
create index {#personal_access_token_created_at} on {personal_access_token} (created_at, id);
create index {#personal_access_token_name} on {personal_access_token} (name, id);
create index {#personal_access_token_expires_at} on {personal_access_token} (expires_at {NULLS_FIRST}, id);
create index {#personal_access_token_last_used_at} on {personal_access_token} (last_used_at {NULLS_FIRST}, id);
create index {#personal_access_token_family} on {personal_access_token} (family_id, id);

-- A deploy token of exactly one of a project and a group.
create table {deploy_token} (
  id {ID},
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  name text not null,
  username text not null,
  digest text not null,
  scopes json not null,
  expires_at text,
  created_at text not null,
  constraint deploy_token_digest_key unique (digest)
);
create index {#deploy_token_project_id} on {deploy_token} (project_id, id);
create index {#deploy_token_group_id} on {deploy_token} (group_id, id);

-- The access of a deploy key to a project.
create table {deploy_key_project} (
  id {ID},
  deploy_key_id bigint not null references {ssh_key} (id) on delete cascade,
  project_id bigint not null references {project} (id) on delete cascade,
  can_push boolean not null default false,
  created_at text not null,
  updated_at text not null,
  constraint deploy_key_project_key unique (deploy_key_id, project_id)
);
create index {#deploy_key_project_project} on {deploy_key_project} (project_id, id);

-- Registration token for the runners of a group. Stored in plain text, because owners can read it.
create table {runners_token} (
  group_id bigint references {namespace} (id) on delete cascade,
  token text not null,
  constraint runners_token_group_key unique (group_id),
  constraint runners_token_key unique (token)
);

-- The identity provider of a group, at most one per group.
create table {sso_provider} (
  id {ID},
  group_id bigint not null references {namespace} (id) on delete cascade,
  name text not null,
  enabled boolean not null default true,
  created_at text not null,
  constraint sso_provider_group_key unique (group_id)
);

-- A token that authenticates the identity provider of a group in the SCIM API.
create table {scim_token} (
  id {ID},
  group_id bigint not null references {namespace} (id) on delete cascade,
  digest text not null,
  created_at text not null,
  constraint scim_token_digest_key unique (digest)
);
create index {#scim_token_group} on {scim_token} (group_id);

-- A user's identity at the provider of a group.
create table {scim_identity} (
  id {ID},
  group_id bigint not null references {namespace} (id) on delete cascade,
  user_id bigint not null references {user} (id) on delete cascade,
  extern_uid text not null,
  provisioned boolean not null default false,
  unlinked_at text,
  created_at text not null,
  given_name text,
  family_name text,
  constraint scim_identity_user_key unique (group_id, user_id)
);
create unique index {#scim_identity_extern_uid_key} on {scim_identity} (group_id, lower(extern_uid)) where unlinked_at is null;
create index {#scim_identity_extern_uid} on {scim_identity} (group_id, lower(extern_uid));
create index {#scim_identity_group} on {scim_identity} (group_id, id);
create index {#scim_identity_user} on {scim_identity} (user_id);
`
