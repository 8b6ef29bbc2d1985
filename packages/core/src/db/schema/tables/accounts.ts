/** Users, how they sign in, and OAuth applications. */
export const accounts = `
create table {user} (
  id {ID},
  username text not null,
  name text not null,
  email text not null,
  state text not null,
  admin boolean not null default false,
  external boolean not null default false,
  private_profile boolean not null default false,
  avatar_url text,
  created_at text not null,
  updated_at text not null,
  bio text not null default '',
  location text not null default '',
  public_email text not null default '',
  skype text not null default '',
  linkedin text not null default '',
  twitter text not null default '',
  website_url text not null default '',
  organization text not null default '',
  job_title text not null default '',
  pronouns text not null default '',
  discord text not null default '',
  github text not null default '',
  note text not null default '',
  commit_email text,
  created_by_id bigint references {user} (id) on delete set null,
  last_sign_in_at text,
  current_sign_in_at text,
  last_sign_in_ip text,
  current_sign_in_ip text,
  confirmed_at text,
  last_activity_on text,
  theme_id integer not null default 1,
  color_scheme_id integer not null default 1,
  projects_limit integer not null default 100000,
  shared_runners_minutes_limit integer,
  extra_shared_runners_minutes_limit integer,
  can_create_group boolean not null default true,
  two_factor_enabled boolean not null default false,
  bot boolean not null default false,
  view_diffs_file_by_file boolean not null default false,
  show_whitespace_in_diffs boolean not null default true,
  pass_user_identities_to_ci_jwt boolean not null default false,
  must_accept_terms boolean not null default false
);
create unique index {#user_username_key} on {user} (lower(username));
create unique index {#user_email_key} on {user} (lower(email));
create index {#user_last_activity} on {user} (last_activity_on, id);
create index {#user_order_name} on {user} (name, id);
create index {#user_order_username} on {user} (username, id);
create index {#user_order_created_at} on {user} (created_at, id);
create index {#user_order_updated_at} on {user} (updated_at, id);
create index {#user_public_email} on {user} (lower(public_email));
create index {#user_created_by} on {user} (created_by_id);

-- A user who follows another one.
create table {user_follow} (
  follower_id bigint not null references {user} (id) on delete cascade,
  followed_id bigint not null references {user} (id) on delete cascade,
  created_at text not null,
  constraint user_follow_key primary key (follower_id, followed_id)
);
create index {#user_follow_followed} on {user_follow} (followed_id, follower_id);

-- An address of a user in addition to the primary one.
create table {email_address} (
  id {ID},
  user_id bigint not null references {user} (id) on delete cascade,
  email text not null,
  created_at text not null,
  confirmed_at text
);
create index {#email_address_user} on {email_address} (user_id);
create unique index {#email_address_key} on {email_address} (lower(email));

-- An identity of a user at an external provider.
create table {user_identity} (
  id {ID},
  user_id bigint not null references {user} (id) on delete cascade,
  provider text not null,
  external_uid text not null,
  created_at text not null,
  constraint user_identity_uid_key unique (provider, external_uid),
  constraint user_identity_user_key unique (user_id, provider)
);

create table {user_password} (
  user_id bigint primary key references {user} (id) on delete cascade,
  hash text not null,
  changed_at text not null
);

create table {user_status} (
  user_id integer not null primary key references {user} (id) on delete cascade,
  emoji text not null,
  message text not null,
  availability text not null,
  clear_at text
);

-- A session of the pages, which ends when its row is removed.
create table {page_session} (
  digest text primary key,
  expires_at text not null
);
create index {#page_session_expiry} on {page_session} (expires_at);

-- A public SSH key of a user, or a deploy key. Each key is stored once.
create table {ssh_key} (
  id {ID},
  user_id bigint references {user} (id) on delete cascade,
  creator_id bigint references {user} (id) on delete set null,
  deploy boolean not null default false,
  public boolean not null default false,
  usage_type text not null default 'auth_and_signing',
  title text not null,
  key text not null,
  sha256 text not null,
  md5 text not null,
  created_at text not null,
  expires_at text,
  last_used_at text,
  constraint ssh_key_sha256_key unique (sha256)
);
create index {#ssh_key_md5} on {ssh_key} (md5);
create index {#ssh_key_user} on {ssh_key} (user_id, id);
create index {#ssh_key_creator} on {ssh_key} (creator_id);
create index {#ssh_key_deploy} on {ssh_key} (deploy, id);

create table {gpg_key} (
  id {ID},
  user_id bigint not null references {user} (id) on delete cascade,
  key text not null,
  fingerprint text not null,
  key_id text not null,
  created_at text not null,
  constraint gpg_key_fingerprint_key unique (fingerprint)
);
create index {#gpg_key_user} on {gpg_key} (user_id, id);
create index {#gpg_key_key_id} on {gpg_key} (key_id);

create table {gpg_subkey} (
  id {ID},
  gpg_key_id bigint not null references {gpg_key} (id) on delete cascade,
  key_id text not null
);
create index {#gpg_subkey_key} on {gpg_subkey} (gpg_key_id);
create index {#gpg_subkey_key_id} on {gpg_subkey} (key_id);

-- An application that users can sign in to with their account, and grant access to the API.
create table {oauth_application} (
  id {ID},
  application_id text not null,
  secret_digest text not null,
  name text not null,
  redirect_uris json not null,
  scopes json not null,
  confidential boolean not null default true,
  created_at text not null
);
create unique index {#oauth_application_application_id} on {oauth_application} (application_id);

-- A token, code, session or other record of the OAuth provider.
create table {oauth_record} (
  id {ID},
  model text not null,
  digest text not null,
  user_id bigint references {user} (id) on delete cascade,
  oauth_application_id bigint references {oauth_application} (id) on delete cascade,
  grant_digest text,
  uid_digest text,
  user_code_digest text,
  scopes json,
  sealed_payload text not null,
  consumed_at text,
  expires_at text not null,
  created_at text not null
);
create unique index {#oauth_record_model_digest} on {oauth_record} (model, digest);
create index {#oauth_record_user_id} on {oauth_record} (user_id);
create index {#oauth_record_oauth_application_id} on {oauth_record} (oauth_application_id);
create index {#oauth_record_grant_digest} on {oauth_record} (grant_digest);
create index {#oauth_record_uid_digest} on {oauth_record} (uid_digest);
create index {#oauth_record_user_code_digest} on {oauth_record} (user_code_digest);
create index {#oauth_record_expires_at_id} on {oauth_record} (expires_at, id);
`
