/** Pipelines, deployments and packages. */
export const delivery = `
create table {pipeline} (
  id {ID},
  iid bigint not null,
  project_id bigint not null references {project} (id) on delete cascade,
  ref text not null,
  tag boolean not null default false,
  sha text not null,
  before_sha text,
  source text not null,
  status text not null,
  name text,
  yaml_errors text,
  coverage double precision,
  user_id bigint references {user} (id) on delete set null,
  merge_request_id bigint references {merge_request} (id) on delete set null,
  sealed_variables text,
  created_at text not null,
  updated_at text not null,
  started_at text,
  finished_at text,
  creation_key text,
  on_new_commit text,
  root_pipeline_id bigint
);
create unique index {#pipeline_number} on {pipeline} (project_id, iid);
create index {#pipeline_project_status} on {pipeline} (project_id, status, id);
create index {#pipeline_project_ref} on {pipeline} (project_id, ref, id);
create index {#pipeline_project_sha} on {pipeline} (project_id, sha, id);
create index {#pipeline_project_source} on {pipeline} (project_id, source, id);
create index {#pipeline_project_name} on {pipeline} (project_id, name, id);
create index {#pipeline_project_user_id} on {pipeline} (project_id, user_id, id);
create index {#pipeline_project_updated_at} on {pipeline} (project_id, updated_at, id);
create index {#pipeline_project} on {pipeline} (project_id, id);
create index {#pipeline_user} on {pipeline} (user_id);
create index {#pipeline_merge_request} on {pipeline} (merge_request_id, id);
create unique index {#pipeline_creation_key} on {pipeline} (creation_key);
create index {#pipeline_root_pipeline} on {pipeline} (root_pipeline_id);

-- A program that asks for jobs with its token. Runners without a group are of some projects or of the instance.
create table {runner} (
  id {ID},
  runner_type text not null,
  group_id bigint references {namespace} (id) on delete cascade,
  digest text not null,
  token_expires_at text,
  description text,
  maintenance_note text,
  paused boolean not null default false,
  locked boolean not null default false,
  run_untagged boolean not null default true,
  access_level text not null,
  maximum_timeout bigint,
  name text,
  version text,
  revision text,
  platform text,
  architecture text,
  ip_address text,
  contacted_at text,
  creator_id bigint references {user} (id) on delete set null,
  created_at text not null,
  updated_at text not null
);
create unique index {#runner_digest} on {runner} (digest);
create index {#runner_type} on {runner} (runner_type, id);
create index {#runner_group} on {runner} (group_id);
create index {#runner_creator} on {runner} (creator_id);

-- The jobs of pipelines, including retried ones and commit statuses.
create table {pipeline_job} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  pipeline_id bigint not null references {pipeline} (id) on delete cascade,
  kind text not null,
  name text not null,
  stage text not null,
  stage_index bigint not null,
  status text not null,
  starts_when text not null,
  allow_failure boolean not null default false,
  retried boolean not null default false,
  needs json,
  tags json not null,
  environment text,
  coverage double precision,
  failure_reason text,
  description text,
  target_url text,
  user_id bigint references {user} (id) on delete set null,
  created_at text not null,
  queued_at text,
  started_at text,
  finished_at text,
  erased_at text,
  environment_options json,
  interruptible boolean not null default false,
  trigger json,
  start_in text,
  scheduled_at text,
  artifacts_expire_in text,
  runner_id bigint references {runner} (id) on delete set null,
  definition json,
  sealed_variables text
);
create index {#pipeline_job_project} on {pipeline_job} (project_id, id);
create index {#pipeline_job_project_status} on {pipeline_job} (project_id, status, id);
create index {#pipeline_job_pipeline} on {pipeline_job} (pipeline_id, id);
create index {#pipeline_job_user} on {pipeline_job} (user_id);
create index {#pipeline_job_runner} on {pipeline_job} (runner_id, id);
create index {#pipeline_job_pending} on {pipeline_job} (id) where status = 'pending';
-- The job that started a pipeline: after both tables, because they refer to each other.
alter table {pipeline} add column upstream_job_id bigint references {pipeline_job} (id) on delete set null;
create index {#pipeline_upstream_job} on {pipeline} (upstream_job_id);

-- Pieces of the logs of jobs.
create table {job_trace} (
  job_id bigint not null references {pipeline_job} (id) on delete cascade,
  position bigint not null,
  size bigint not null,
  content {BLOB} not null,
  constraint job_trace_pkey primary key (job_id, position)
);

create table {job_artifact} (
  id {ID},
  job_id bigint not null references {pipeline_job} (id) on delete cascade,
  file_name text not null,
  size bigint not null,
  storage_key text not null,
  sha256 text not null,
  expires_at text,
  created_at text not null
);
create unique index {#job_artifact_job} on {job_artifact} (job_id);
create index {#job_artifact_storage_key} on {job_artifact} (storage_key);
create index {#job_artifact_expires} on {job_artifact} (expires_at, id);

-- The token of a job; it is valid while the job runs.
create table {job_token} (
  id {ID},
  job_id bigint not null references {pipeline_job} (id) on delete cascade,
  digest text not null,
  constraint job_token_job_key unique (job_id),
  constraint job_token_digest_key unique (digest)
);

-- A project or group whose job tokens a project permits; exactly one of the targets is set.
create table {job_token_allowlist} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  target_project_id bigint references {project} (id) on delete cascade,
  target_group_id bigint references {namespace} (id) on delete cascade
);
create unique index {#job_token_allowlist_target_project_id} on {job_token_allowlist} (project_id, target_project_id);
create index {#job_token_allowlist_of_target_project_id} on {job_token_allowlist} (target_project_id);
create unique index {#job_token_allowlist_target_group_id} on {job_token_allowlist} (project_id, target_group_id);
create index {#job_token_allowlist_of_target_group_id} on {job_token_allowlist} (target_group_id);

-- A variable of a project, a group or, without both, the instance.
create table {ci_variable} (
  id {ID},
  scope text not null,
  project_id bigint references {project} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  key text not null,
  sealed_value text not null,
  variable_type text not null,
  protected boolean not null default false,
  masked boolean not null default false,
  raw boolean not null default false,
  environment_scope text not null,
  hidden boolean not null default false,
  description text
);
create unique index {#ci_variable_scope} on {ci_variable} (scope, key, environment_scope);
create index {#ci_variable_order} on {ci_variable} (scope, id);
create index {#ci_variable_project_id} on {ci_variable} (project_id);
create index {#ci_variable_group_id} on {ci_variable} (group_id);

create table {secure_file} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  name text not null,
  size bigint not null,
  storage_key text not null,
  sha256 text not null,
  created_at text not null,
  constraint secure_file_project_name_key unique (project_id, name),
  constraint secure_file_storage_key_key unique (storage_key)
);
create index {#secure_file_project} on {secure_file} (project_id, id);

-- A token that creates pipelines of a project on behalf of its owner.
create table {pipeline_trigger} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  owner_id bigint not null references {user} (id) on delete cascade,
  description text not null,
  digest text not null,
  short_token text not null,
  expires_at text,
  created_at text not null,
  updated_at text not null,
  last_used text
);
create unique index {#pipeline_trigger_digest} on {pipeline_trigger} (digest);
create index {#pipeline_trigger_project} on {pipeline_trigger} (project_id, id);
create index {#pipeline_trigger_owner} on {pipeline_trigger} (owner_id);

-- The projects of runners of some projects.
create table {runner_project} (
  id {ID},
  runner_id bigint not null references {runner} (id) on delete cascade,
  project_id bigint not null references {project} (id) on delete cascade
);
create unique index {#runner_project_runner} on {runner_project} (runner_id, project_id);
create index {#runner_project_project} on {runner_project} (project_id, runner_id);

create table {runner_tag} (
  runner_id bigint not null references {runner} (id) on delete cascade,
  name text not null,
  constraint runner_tag_pkey primary key (runner_id, name)
);
create index {#runner_tag_name} on {runner_tag} (name, runner_id);

-- Creates pipelines of a project at recurring times.
create table {pipeline_schedule} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  owner_id bigint references {user} (id) on delete set null,
  description text not null,
  ref text not null,
  cron text not null,
  cron_timezone text not null,
  active boolean not null default true,
  inputs json not null default '[]',
  next_run_at text,
  sealed_variables text,
  created_at text not null,
  updated_at text not null
);
create index {#pipeline_schedule_project} on {pipeline_schedule} (project_id, id);
create index {#pipeline_schedule_owner} on {pipeline_schedule} (owner_id);

-- A pipeline that a schedule has created.
create table {pipeline_schedule_run} (
  schedule_id bigint not null references {pipeline_schedule} (id) on delete cascade,
  pipeline_id bigint not null references {pipeline} (id) on delete cascade,
  constraint pipeline_schedule_run_pkey primary key (schedule_id, pipeline_id)
);
create index {#pipeline_schedule_run_pipeline} on {pipeline_schedule_run} (pipeline_id);

-- A recurring time in which a project should not be deployed.
create table {freeze_period} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  freeze_start text not null,
  freeze_end text not null,
  cron_timezone text not null,
  created_at text not null,
  updated_at text not null
);
create index {#freeze_period_project} on {freeze_period} (project_id, id);

create table {environment} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  name text not null,
  slug text not null,
  external_url text,
  state text not null,
  created_at text not null,
  updated_at text not null,
  tier text,
  auto_stop_at text,
  description text,
  auto_stop_setting text not null default 'always',
  constraint environment_project_name_key unique (project_id, name),
  constraint environment_project_slug_key unique (project_id, slug)
);

create table {deployment} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  iid integer not null,
  environment_id bigint not null references {environment} (id) on delete cascade,
  user_id bigint references {user} (id) on delete set null,
  ref text not null,
  sha text not null,
  status text not null,
  job json,
  created_at text not null,
  updated_at text not null,
  job_id bigint references {pipeline_job} (id) on delete set null,
  finished_at text,
  constraint deployment_project_iid_key unique (project_id, iid)
);
create index {#deployment_environment} on {deployment} (environment_id, status, id);
create index {#deployment_user} on {deployment} (user_id);
create index {#deployment_project_created_at} on {deployment} (project_id, created_at, id);
create index {#deployment_project_updated_at} on {deployment} (project_id, updated_at, id);
create index {#deployment_project_ref} on {deployment} (project_id, ref, status);
create index {#deployment_project_iid} on {deployment} (project_id, iid, id);
create unique index {#deployment_job} on {deployment} (job_id);
create index {#deployment_project_finished_at} on {deployment} (project_id, finished_at, id);

-- A merge request and the first deployment of an environment that contains it.
create table {deployment_merge_request} (
  merge_request_id bigint not null references {merge_request} (id) on delete cascade,
  deployment_id bigint not null references {deployment} (id) on delete cascade,
  constraint deployment_merge_request_key primary key (merge_request_id, deployment_id)
);
create index {#deployment_merge_request_deployment} on {deployment_merge_request} (deployment_id);

-- The protection of the environment with this name, which need not exist yet.
create table {protected_environment} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  name text not null,
  required_approval_count integer not null default 0,
  created_at text not null,
  updated_at text not null,
  constraint protected_environment_project_name_key unique (project_id, name)
);

-- A grant to deploy, to exactly one of an access level, a user and a group.
create table {deploy_access_level} (
  id {ID},
  protected_environment_id bigint not null references {protected_environment} (id) on delete cascade,
  access_level integer,
  user_id bigint references {user} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade
);
create index {#deploy_access_level_protected_environment_id} on {deploy_access_level} (protected_environment_id);
create index {#deploy_access_level_user_id} on {deploy_access_level} (user_id);
create index {#deploy_access_level_group_id} on {deploy_access_level} (group_id);

-- Approvals that deployments to a protected environment require, from exactly one of an access level, a user and a group.
create table {deployment_approval_rule} (
  id {ID},
  protected_environment_id bigint not null references {protected_environment} (id) on delete cascade,
  access_level integer,
  user_id bigint references {user} (id) on delete cascade,
  group_id bigint references {namespace} (id) on delete cascade,
  required_approvals integer not null
);
create index {#deployment_approval_rule_environment} on {deployment_approval_rule} (protected_environment_id, id);
create index {#deployment_approval_rule_user} on {deployment_approval_rule} (user_id);
create index {#deployment_approval_rule_group} on {deployment_approval_rule} (group_id);

-- The decision of a user on a blocked deployment.
create table {deployment_approval} (
  id {ID},
  deployment_id bigint not null references {deployment} (id) on delete cascade,
  user_id bigint not null references {user} (id) on delete cascade,
  rule_id bigint references {deployment_approval_rule} (id) on delete set null,
  status text not null,
  comment text,
  created_at text not null,
  constraint deployment_approval_user_key unique (deployment_id, user_id)
);
create index {#deployment_approval_user} on {deployment_approval} (user_id);
create index {#deployment_approval_rule_id} on {deployment_approval} (rule_id);

-- A package with one version, unique in its project by type, name and version.
create table {package} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  package_type text not null,
  name text not null,
  version text not null,
  status text not null,
  created_at text not null
);
create unique index {#package_project_name_version} on {package} (project_id, package_type, name, version);
create index {#package_order_created_at} on {package} (project_id, status, created_at, id);
create index {#package_order_name} on {package} (project_id, status, name, id);
create index {#package_order_version} on {package} (project_id, status, version, id);
create index {#package_order_package_type} on {package} (project_id, status, package_type, id);

create table {package_file} (
  id {ID},
  package_id bigint not null references {package} (id) on delete cascade,
  file_name text not null,
  size bigint not null,
  sha256 text not null,
  sha1 text not null,
  md5 text not null,
  storage_key text not null,
  created_at text not null
);
create index {#package_file_package} on {package_file} (package_id, id);
create index {#package_file_name} on {package_file} (package_id, file_name, id);
create unique index {#package_file_storage_key} on {package_file} (storage_key);

create table {container_repository} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  name text not null,
  status text,
  cleanup_asked_at text,
  cleanup_policy_started_at text,
  created_at text not null,
  constraint container_repository_project_name_key unique (project_id, name)
);

-- Tags that are stored in the database, not in an external registry: see the port registry.
create table {container_tag} (
  id {ID},
  container_repository_id bigint not null references {container_repository} (id) on delete cascade,
  name text {BYTEWISE} not null,
  digest text not null,
  revision text,
  total_size bigint,
  created_at text,
  put_at text not null,
  constraint container_tag_repository_name_key unique (container_repository_id, name)
);

-- A domain that serves the pages of a project. Names are unique across projects, ignoring case.
create table {pages_domain} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  name text not null,
  auto_ssl_enabled boolean not null default false,
  certificate text,
  sealed_key text,
  certificate_starts_at text,
  certificate_ends_at text,
  verification_code text not null,
  verified_at text,
  enabled_until text,
  created_at text not null,
  updated_at text not null
);
create unique index {#pages_domain_name_key} on {pages_domain} (lower(name));
create index {#pages_domain_project} on {pages_domain} (project_id, name);

-- The choices of a project for its site.
create table {pages_site} (
  project_id bigint primary key references {project} (id) on delete cascade,
  unique_domain text not null,
  is_unique_domain_enabled boolean not null,
  https_only boolean not null,
  primary_domain text
);
create unique index {#pages_site_unique_domain} on {pages_site} (unique_domain);

-- The published site of a project, whose files follow each other in one file.
create table {pages_deployment} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  job_id bigint references {pipeline_job} (id) on delete set null,
  root_directory text not null,
  storage_key text not null,
  size bigint not null,
  redirects text,
  created_at text not null
);
create unique index {#pages_deployment_project} on {pages_deployment} (project_id);
create index {#pages_deployment_job} on {pages_deployment} (job_id);
create index {#pages_deployment_storage_key} on {pages_deployment} (storage_key);

-- A file of a site.
create table {pages_file} (
  deployment_id bigint not null references {pages_deployment} (id) on delete cascade,
  path text not null,
  position bigint not null,
  size bigint not null,
  sha256 text not null,
  constraint pages_file_key primary key (deployment_id, path)
);

-- A dependency of a project: from the last report, or a lock file of its default branch.
create table {dependency} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  name text not null,
  version text not null,
  package_manager text not null,
  dependency_file_path text not null,
  licenses json not null,
  vulnerabilities json not null
);
create index {#dependency_project_name} on {dependency} (project_id, name, version, id);

-- A lock file of the default branch whose packages are dependencies.
create table {dependency_file} (
  project_id bigint not null references {project} (id) on delete cascade,
  path text not null,
  package_manager text not null,
  problem text,
  scanned_at text not null,
  primary key (project_id, path)
);

-- The external error tracker of a project; at most one per project.
create table {error_tracking_setting} (
  project_id bigint primary key references {project} (id) on delete cascade,
  active boolean not null default false,
  integrated boolean not null default false,
  project_name text,
  tracker_external_url text,
  api_url text,
  updated_at text not null
);

-- A key with which applications send errors.
create table {error_tracking_client_key} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  active boolean not null,
  public_key text not null,
  created_at text not null
);
create index {#error_tracking_client_key_project} on {error_tracking_client_key} (project_id, id);
create unique index {#error_tracking_client_key_key} on {error_tracking_client_key} (project_id, public_key);

-- An error that applications have sent, with its last occurrence.
create table {tracked_error} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  fingerprint text not null,
  name text not null,
  message text not null,
  culprit text not null,
  status text not null,
  events_count bigint not null,
  first_seen_at text not null,
  last_seen_at text not null,
  last_event json not null
);
create unique index {#tracked_error_fingerprint} on {tracked_error} (project_id, fingerprint);
create index {#tracked_error_project_seen} on {tracked_error} (project_id, last_seen_at, id);
create index {#tracked_error_project_status} on {tracked_error} (project_id, status, last_seen_at, id);
create index {#tracked_error_seen} on {tracked_error} (last_seen_at, id);

create table {feature_flag} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  name text not null,
  description text,
  active boolean not null default true,
  created_at text not null,
  updated_at text not null
);
create unique index {#feature_flag_name} on {feature_flag} (project_id, name);
create index {#feature_flag_project} on {feature_flag} (project_id, id);
create index {#feature_flag_project_active} on {feature_flag} (project_id, active, name);

create table {feature_flag_user_list} (
  id {ID},
  project_id bigint not null references {project} (id) on delete cascade,
  iid integer not null,
  name text not null,
  user_xids text not null,
  created_at text not null,
  updated_at text not null
);
create unique index {#feature_flag_user_list_number} on {feature_flag_user_list} (project_id, iid);
create unique index {#feature_flag_user_list_name} on {feature_flag_user_list} (project_id, name);

create table {feature_flag_strategy} (
  id {ID},
  feature_flag_id bigint not null references {feature_flag} (id) on delete cascade,
  name text not null,
  parameters json not null,
  user_list_id bigint references {feature_flag_user_list} (id) on delete cascade
);
create index {#feature_flag_strategy_flag} on {feature_flag_strategy} (feature_flag_id, id);
create index {#feature_flag_strategy_user_list} on {feature_flag_strategy} (user_list_id);

-- Environments in which a strategy applies.
create table {feature_flag_scope} (
  id {ID},
  strategy_id bigint not null references {feature_flag_strategy} (id) on delete cascade,
  environment_scope text not null
);
create index {#feature_flag_scope_strategy} on {feature_flag_scope} (strategy_id, id);

-- The token with which applications read the feature flags of a project; at most one per project.
create table {feature_flags_client} (
  project_id bigint primary key references {project} (id) on delete cascade,
  digest text not null
);
`
