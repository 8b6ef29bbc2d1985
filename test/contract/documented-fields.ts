/**
 * The documented fields of each resource with their types. Each line contains a type and the fields of this type. `?` allows
 * null. Fields that the documents list only "in some embeddings" are omitted.
 */

/** The types of values. */
export type Kind = 'integer' | 'text' | 'time' | 'date' | 'boolean' | 'list' | 'object' | 'null' | 'present'

export interface DocumentedField {
  readonly name: string
  readonly kind: Kind
  readonly nullable: boolean
}

/** Parses `integer: id iid`, `text?: description`, … */
export const fieldsOf = (lines: string): DocumentedField[] =>
  lines
    .split('\n')
    .filter((line) => line.trim())
    .flatMap((line) => {
      const [head = '', names = ''] = line.trim().split(': ')
      const kind = head.replace('?', '') as Kind
      return names.split(/\s+/).map((name) => ({ name, kind, nullable: head.endsWith('?') }))
    })

const user = `
  integer: id
  text: username name state web_url
  text?: avatar_url
`

const note = `
  integer: id noteable_id
  text: body noteable_type
  object?: attachment
  object: author
  time: created_at updated_at
  boolean: system resolvable confidential
`

const event = `
  text?: title target_type target_title
  integer: project_id author_id
  text: action_name author_username
  integer?: target_id
  object: author
  time: created_at
`

const label = `
  integer: id
  text: name color text_color
  text?: description description_html
  boolean: subscribed is_project_label
  integer?: priority
`

const counts = 'integer: open_issues_count closed_issues_count open_merge_requests_count'

const member = `
  ${user}
  integer: access_level
  date?: expires_at
`

const accessRequest = `
  integer: id
  text: username name state
  time: created_at
`

const group = `
  integer: id two_factor_grace_period default_branch_protection
  text: name path visibility project_creation_level subgroup_creation_level web_url full_name full_path
  text?: description avatar_url
  boolean: share_with_group_lock require_two_factor_authentication request_access_enabled lfs_enabled
  boolean?: auto_devops_enabled emails_disabled mentions_disabled
  integer?: file_template_project_id parent_id
  time: created_at
`

const project = `
  integer: id star_count forks_count open_issues_count ci_default_git_depth build_timeout
  integer?: creator_id
  text?: description readme_url avatar_url build_coverage_regex ci_config_path suggestion_commit_message
  text: default_branch visibility ssh_url_to_repo http_url_to_repo web_url name name_with_namespace path
  text: path_with_namespace issues_access_level repository_access_level merge_requests_access_level
  text: forking_access_level wiki_access_level builds_access_level snippets_access_level pages_access_level
  text: import_status auto_cancel_pending_pipelines merge_method auto_devops_deploy_strategy repository_storage
  list: tag_list shared_with_groups
  boolean: archived issues_enabled merge_requests_enabled wiki_enabled jobs_enabled snippets_enabled
  boolean: shared_runners_enabled public_jobs request_access_enabled empty_repo resolve_outdated_diff_discussions
  boolean: container_registry_enabled can_create_merge_request_in lfs_enabled
  boolean: only_allow_merge_if_pipeline_succeeds only_allow_merge_if_all_discussions_are_resolved
  boolean: printing_merge_request_link_enabled auto_devops_enabled autoclose_referenced_issues
  boolean?: emails_disabled remove_source_branch_after_merge
  time: created_at last_activity_at
  object: namespace _links container_expiration_policy
`

const commit = `
  text: id short_id title message author_name author_email committer_name committer_email
  list: parent_ids
  time: created_at authored_date committed_date
`

const snippet = `
  integer: id
  text: title file_name visibility web_url raw_url
  text?: description
  object: author
  time?: expires_at
  time: created_at updated_at
  integer?: project_id
`

const replicaNode = `
  integer: id files_max_capacity repos_max_capacity verification_max_capacity container_repositories_max_capacity
  integer: minimum_reverification_interval
  text: name url internal_url clone_protocol web_edit_url
  text?: selective_sync_type
  boolean: primary enabled current sync_object_storage
  list: selective_sync_shards selective_sync_namespace_ids
  object: _links
`

const kinds =
  'attachments lfs_objects job_artifacts container_repositories design_repositories repositories wikis package_files'

const nodeStatus = `
  integer: geo_node_id
  boolean: healthy missing_oauth_application
  text: health health_status
  integer?: ${kinds
    .split(' ')
    .flatMap((kind) => ['count', 'synced_count', 'failed_count'].map((what) => `${kind}_${what}`))
    .join(' ')}
  text?: ${kinds
    .split(' ')
    .map((kind) => `${kind}_synced_in_percentage`)
    .join(' ')}
  integer?: db_replication_lag_seconds projects_count replication_slots_count replication_slots_used_count
  text?: replication_slots_used_in_percentage version revision
  integer?: replication_slots_max_retained_wal_bytes last_event_id last_event_timestamp cursor_last_event_id
  integer?: cursor_last_event_timestamp last_successful_status_check_timestamp
`

const repositoryFields = `
  integer: id project_id
  text: name path location
  time: created_at
`

const environment = `
  integer: id
  text: name slug state
  text?: external_url
`

const mirror = `
  integer: id
  boolean: enabled only_protected_branches keep_divergent_refs
  text: url update_status
  text?: last_error
  time?: last_update_at last_successful_update_at last_update_started_at
`

const pagesDomain = 'text: domain url'

const key = `
  integer: id
  text: title key
  time: created_at
  time?: expires_at
  object: user
`

const owner = `
  integer: id projects_limit theme_id color_scheme_id
  text: name username state web_url email
  text?: avatar_url bio location public_email skype linkedin twitter website_url organization
  time: created_at
  time?: last_sign_in_at confirmed_at current_sign_in_at
  date?: last_activity_on
  list: identities
  boolean: can_create_group can_create_project two_factor_enabled external private_profile
  integer?: shared_runners_minutes_limit extra_shared_runners_minutes_limit
`

const kindsOfEmail = `
  boolean: new_note new_issue reopen_issue close_issue reassign_issue issue_due new_merge_request push_to_merge_request
  boolean: reopen_merge_request close_merge_request reassign_merge_request merge_merge_request failed_pipeline
  boolean: fixed_pipeline success_pipeline
`

const scimUser = `
  list: schemas emails
  text: id name.formatted userName
  boolean: active
  object: meta
`

/** The returned settings with their types; `present` for settings without a documented type. */
const settings = `
  text?: admin_notification_email after_sign_out_path after_sign_up_text archive_builds_in_human_readable asset_proxy_url
  text?: auto_devops_domain commit_email_hostname default_artifacts_expire_in default_ci_config_path
  text?: kube_account_id searchengine_cloud_region searchengine_url email_additional_text enabled_git_access_protocol
  text?: external_auth_client_cert external_authorization_service_default_label
  text: default_group_visibility default_project_visibility default_snippet_visibility
  boolean: spamfilter_enabled allow_group_owners_to_manage_ldap allow_local_requests_from_hooks_and_services
  boolean: allow_local_requests_from_system_hooks allow_local_requests_from_web_hooks_and_services asset_proxy_enabled
  boolean: authorized_keys_enabled auto_devops_enabled check_namespace_plan dns_rebinding_protection_enabled
  boolean: domain_blacklist_enabled kube_integration_enabled searchengine_cloud searchengine_indexing
  boolean: searchengine_limit_indexing searchengine_search email_author_in_body enforce_terms
  boolean: external_authorization_service_enabled
  integer: container_registry_token_expire_delay default_branch_protection default_project_creation
  integer: default_projects_limit diff_max_patch_bytes dsa_key_restriction ecdsa_key_restriction
  integer: ed25519_key_restriction searchengine_indexed_field_length_limit searchengine_max_bulk_concurrency
  integer: searchengine_max_bulk_size_mb id
  list?: asset_proxy_whitelist disabled_oauth_sign_in_sources domain_blacklist domain_whitelist
  list: searchengine_namespace_ids searchengine_project_ids
  time: created_at updated_at
  present: signup_enabled password_authentication_enabled_for_web max_attachment_size max_import_size
  present: user_oauth_applications session_expire_delay home_page_url outbound_local_requests_whitelist
  present: avatarservice_enabled sign_in_text container_expiration_policies_enable_historic_entries
  present: repository_storages diagramtool_enabled diagramtool_url terminal_max_session_time
  present: polling_interval_multiplier rsa_key_restriction first_day_of_week terms performance_bar_allowed_group_id
  present: instance_statistics_visibility_private user_show_add_ssh_key_message local_markdown_version
  present: npm_package_requests_forwarding issues_create_limit raw_blob_request_limit
  present: external_authorization_service_url external_authorization_service_timeout file_template_project_id
  present: geo_node_allowed_ips geo_status_timeout deletion_adjourned_period
`

/** A request, and the documented fields at one path of the response body. */
export interface DocumentedResponse {
  readonly send: string
  readonly as?: string
  readonly json?: Readonly<Record<string, unknown>>
  /** The path to the object in the body: `0.author`. Default: the body itself. */
  readonly at?: string
  readonly fields: string
}

const issueNotes = '/projects/acme%2Fweb/issues/1/notes'
const emoji = { body: ':thumbsup:' }
/** The response for a note that is only an emoji, and for one note of a snippet or an epic. */
const shortNote = 'integer: id\npresent: title file_name expires_at\nobject: author\ntime: created_at updated_at'

/** `:name` in a URL is an id of `readIds`. */
export const documentedResponses: readonly DocumentedResponse[] = [
  { send: `GET ${issueNotes}`, at: '0', fields: `${note}\ninteger: noteable_iid` },
  { send: `GET ${issueNotes}`, at: '0.author', fields: user },
  { send: `GET ${issueNotes}/:note_id`, fields: `${note}\ninteger: noteable_iid` },
  { send: `POST ${issueNotes}`, json: { body: 'A text' }, fields: `${note}\ninteger: noteable_iid` },
  { send: `POST ${issueNotes}`, json: emoji, fields: shortNote },
  { send: 'GET /projects/acme%2Fweb/snippets/:snippet_id/notes/:snippet_note', fields: shortNote },
  { send: 'GET /groups/acme/epics/:epic_id/notes/:epic_note', fields: `${shortNote}\nboolean: confidential` },
  { send: 'GET /events', at: '0', fields: event },
  { send: 'GET /users/root/events', at: '0', fields: event },
  { send: 'GET /projects/acme%2Fweb/events', at: '0', fields: `${event}\ninteger?: target_iid\nnull: data` },
  { send: 'GET /projects/acme%2Fweb/events', at: '0.author', fields: user },
  {
    send: 'GET /projects/acme%2Fweb/events?action=commented',
    at: '0.note',
    fields: `
      integer: id noteable_id noteable_iid
      text: body noteable_type
      object?: attachment
      object: author
      time: created_at
      boolean: system
    `,
  },
  {
    send: 'GET /projects/acme%2Fweb/events?action=pushed',
    at: '0.push_data',
    fields: `
      integer: commit_count
      text: action ref_type ref
      text?: commit_from commit_to commit_title
    `,
  },
  {
    send: 'GET /todos',
    at: '0',
    fields: `
      integer: id
      object: project author target
      text: action_name target_type target_url body state
      time: created_at updated_at
    `,
  },
  {
    send: 'GET /todos',
    at: '0.project',
    fields: 'integer: id\ntext: name name_with_namespace path path_with_namespace',
  },
  {
    send: 'GET /todos?type=MergeRequest',
    at: '0.target',
    fields: `
      integer: id iid project_id upvotes downvotes source_project_id target_project_id user_notes_count
      text: title state target_branch source_branch merge_status
      text?: description
      time: created_at updated_at
      object: author
      object?: assignee milestone
      list: labels
      boolean: work_in_progress merge_when_pipeline_succeeds subscribed
    `,
  },
  { send: 'POST /todos/:todo_id/mark_as_done', fields: 'integer: id\ntext: state' },
  { send: 'GET /projects/acme%2Fweb/labels?with_counts=true', at: '0', fields: `${label}\n${counts}` },
  { send: 'GET /projects/acme%2Fweb/labels/bug', fields: `${label}\n${counts}` },
  { send: 'POST /projects/acme%2Fweb/labels', json: { name: 'new', color: 'red' }, fields: label },
  { send: 'PUT /projects/acme%2Fweb/labels/feature', json: { color: 'red' }, fields: label },
  { send: 'POST /projects/acme%2Fweb/labels/feature/subscribe', fields: label },
  { send: 'POST /projects/acme%2Fweb/labels/bug/subscribe', as: 'bob', fields: label },
  {
    send: 'PUT /projects/acme%2Fweb/labels/promoted/promote',
    fields: `
      integer: id
      text: name color
      text?: description description_html
      ${counts}
      boolean: subscribed
    `,
  },
  ...['/projects/acme%2Fweb', '/groups/acme'].flatMap((base): DocumentedResponse[] => [
    { send: `GET ${base}/members`, at: '0', fields: member },
    { send: `GET ${base}/members/all`, at: '0', fields: member },
    { send: `GET ${base}/members/all/:user_id`, fields: member },
    {
      send: `POST ${base}/members`,
      json: { user_id: ':newcomer', access_level: 20, expires_at: '2099-01-01' },
      fields: member,
    },
    { send: `PUT ${base}/members/:newcomer`, json: { access_level: 30 }, fields: member },
    { send: `GET ${base}/access_requests`, at: '0', fields: `${accessRequest}\ntime: requested_at` },
    { send: `PUT ${base}/access_requests/:requester/approve`, fields: `${accessRequest}\ninteger: access_level` },
    { send: `POST ${base}/access_requests`, as: 'stranger', fields: `${accessRequest}\ntime: requested_at` },
    { send: `GET ${base}/notification_settings`, fields: 'text: level' },
    { send: `PUT ${base}/notification_settings`, json: { level: 'custom' }, at: 'events', fields: kindsOfEmail },
    { send: `GET ${base}/custom_attributes`, at: '0', fields: 'text: key value' },
    { send: `GET ${base}/custom_attributes/tier`, fields: 'text: key value' },
    { send: `PUT ${base}/custom_attributes/tier`, json: { value: 'x' }, fields: 'text: key value' },
    { send: `GET ${base}/issues_statistics`, at: 'statistics.counts', fields: 'integer: all closed opened' },
    {
      send: `GET ${base}/registry/repositories?tags=true&tags_count=true`,
      at: '0',
      fields: `${repositoryFields}\ninteger: tags_count\nlist: tags`,
    },
    { send: `GET ${base}/registry/repositories?tags=true`, at: '0.tags.0', fields: 'text: name path location' },
  ]),
  { send: 'GET /users/bob/events', at: '0', fields: event },
  {
    send: 'GET /groups/acme/members/all/:user_id',
    as: 'alice',
    at: 'group_saml_identity',
    fields: 'text: extern_uid provider\ninteger: saml_provider_id',
  },
  { send: 'POST /groups/acme/members/:synced/override', fields: `${member}\nboolean: override` },
  { send: 'DELETE /groups/acme/members/:synced/override', fields: `${member}\nboolean: override` },
  { send: 'GET /users/:user_id/custom_attributes', at: '0', fields: 'text: key value' },
  { send: 'GET /users/:user_id/custom_attributes/tier', fields: 'text: key value' },
  { send: 'GET /notification_settings', fields: 'text: level notification_email' },
  { send: 'PUT /notification_settings', json: { level: 'watch' }, fields: 'text: level notification_email' },
  { send: 'GET /issues_statistics', at: 'statistics.counts', fields: 'integer: all closed opened' },
  { send: 'POST /markdown', json: { text: '*x*' }, fields: 'text: html' },

  { send: 'GET /groups', at: '0', fields: group },
  {
    send: 'GET /groups?statistics=true',
    at: '0.statistics',
    fields: 'integer: storage_size repository_size wiki_size lfs_objects_size job_artifacts_size packages_size',
  },
  { send: 'GET /groups/acme/subgroups', at: '0', fields: group },
  {
    send: 'GET /groups/acme',
    fields: `${group}\ntext: runners_token\nlist: shared_with_groups projects shared_projects`,
  },
  { send: 'GET /groups/acme', at: 'projects.0', fields: project },
  { send: 'GET /groups/partners', at: 'shared_projects.0', fields: project },
  {
    send: 'GET /groups/shared',
    at: 'shared_with_groups.0',
    fields: 'integer: group_id group_access_level\ntext: group_name group_full_path\ndate?: expires_at',
  },
  { send: 'GET /groups/acme/projects', at: '0', fields: project },
  {
    send: 'GET /groups/acme/projects',
    at: '0.namespace',
    fields: `
      integer: id
      text: name path kind full_path web_url
      integer?: parent_id
      text?: avatar_url
    `,
  },
  {
    send: 'GET /groups/acme/projects',
    at: '0._links',
    fields: 'text: self issues merge_requests repo_branches labels events members',
  },
  {
    send: 'GET /groups/acme/projects',
    at: '0.container_expiration_policy',
    fields: `
      text: cadence
      boolean: enabled
      integer?: keep_n
      text?: older_than name_regex name_regex_keep
      time?: next_run_at
    `,
  },
  {
    send: 'GET /groups/acme/projects?simple=true',
    at: '0',
    fields: 'integer: id\ntext: web_url name path',
  },
  { send: 'GET /groups/partners/projects/shared', at: '0', fields: project },
  { send: 'GET /projects/acme%2Fweb/repository/tree', at: '0', fields: 'text: id name type path mode' },
  { send: 'GET /projects/acme%2Fweb/repository/blobs/:sha', fields: 'integer: size\ntext: content' },
  {
    send: 'GET /projects/acme%2Fweb/repository/compare?from=v0.1.0&to=main',
    fields: 'object: commit\nlist: commits diffs\nboolean: compare_timeout compare_same_ref\ntext: web_url',
  },
  {
    send: 'GET /projects/acme%2Fweb/repository/compare?from=v0.1.0&to=main',
    at: 'commits.0',
    fields: 'text: id short_id title author_name author_email\ntime: created_at',
  },
  {
    send: 'GET /projects/acme%2Fweb/repository/compare?from=v0.1.0&to=main',
    at: 'diffs.0',
    fields:
      'text: old_path new_path a_mode b_mode diff\nboolean: new_file renamed_file deleted_file collapsed too_large',
  },
  {
    send: 'GET /projects/acme%2Fweb/repository/contributors',
    at: '0',
    fields: 'text: name email\ninteger: commits additions deletions',
  },
  { send: 'GET /projects/acme%2Fweb/repository/merge_base?refs[]=v0.1.0&refs[]=main', fields: commit },
  { send: 'GET /snippets', at: '0', fields: snippet },
  { send: 'GET /snippets/public', at: '0', fields: snippet },
  { send: 'GET /snippets/:own_snippet', fields: snippet },
  { send: 'POST /snippets', json: { title: 'x', file_name: 'x', content: 'x' }, fields: snippet },
  { send: 'PUT /snippets/:own_snippet', json: { title: 'y' }, fields: snippet },
  {
    send: 'GET /snippets/:asked_snippet/user_agent_detail',
    fields: 'text: user_agent ip_address\nboolean: akismet_submitted',
  },
  { send: 'GET /pages/domains', at: '0', fields: `${pagesDomain}\ninteger: project_id\nboolean: auto_ssl_enabled` },
  {
    send: 'GET /pages/domains',
    at: 'secured.certificate',
    fields: 'boolean: expired\ntime: expiration',
  },
  { send: 'GET /projects/acme%2Fweb/pages/domains', at: '0', fields: pagesDomain },
  { send: 'GET /projects/acme%2Fweb/pages/domains/www.example.com', fields: pagesDomain },
  {
    send: 'GET /projects/acme%2Fweb/pages/domains/secure.example.com',
    at: 'certificate',
    fields: 'boolean: expired\ntext: subject certificate certificate_text',
  },
  { send: 'POST /projects/acme%2Fweb/pages/domains', json: { domain: 'new.example.com' }, fields: pagesDomain },
  {
    send: 'PUT /projects/acme%2Fweb/pages/domains/www.example.com',
    json: { auto_ssl_enabled: true },
    fields: `${pagesDomain}\nboolean: auto_ssl_enabled`,
  },
  { send: 'GET /projects/acme%2Fweb/environments', at: '0', fields: environment },
  { send: 'GET /projects/acme%2Fweb/environments/:environment_id', fields: `${environment}\nobject: last_deployment` },
  {
    send: 'GET /projects/acme%2Fweb/environments/:environment_id',
    at: 'last_deployment',
    fields: `
      integer: id iid
      text: ref sha status
      time: created_at
      object: user deployable
    `,
  },
  {
    send: 'GET /projects/acme%2Fweb/environments/:environment_id',
    at: 'last_deployment.deployable',
    fields: `
      integer: id
      text: status stage name ref web_url
      boolean: tag
      present: coverage duration pipeline runner artifacts artifacts_expire_at
      time?: created_at started_at finished_at
      object?: user commit
    `,
  },
  { send: 'POST /projects/acme%2Fweb/environments', json: { name: 'new' }, fields: environment },
  {
    send: 'PUT /projects/acme%2Fweb/environments/:environment_id',
    json: { external_url: 'https://a.example.com' },
    fields: environment,
  },
  { send: 'POST /projects/acme%2Fweb/environments/:environment_id/stop', fields: environment },
  {
    send: 'GET /projects/acme%2Fweb/protected_environments',
    at: '0',
    fields: 'text: name\nlist: deploy_access_levels',
  },
  {
    send: 'GET /projects/acme%2Fweb/protected_environments/production',
    at: 'deploy_access_levels.0',
    fields: 'integer?: access_level user_id group_id\ntext: access_level_description',
  },
  {
    send: 'POST /projects/acme%2Fweb/protected_environments',
    json: { name: 'staging', deploy_access_levels: [{ access_level: 30 }] },
    fields: 'text: name\nlist: deploy_access_levels',
  },
  { send: 'GET /projects/acme%2Fweb/remote_mirrors', at: '0', fields: mirror },
  { send: 'POST /projects/acme%2Fweb/remote_mirrors', json: { url: 'https://93.184.216.34/x.git' }, fields: mirror },
  { send: 'PUT /projects/acme%2Fweb/remote_mirrors/:mirror_id', json: { enabled: true }, fields: mirror },
  { send: 'GET /keys/1', fields: key },
  { send: 'GET /keys/1', at: 'user', fields: owner },
  { send: 'GET /keys?fingerprint=:fingerprint', fields: `${key}\nlist: deploy_keys_projects` },
  {
    send: 'GET /keys?fingerprint=:fingerprint',
    at: 'deploy_keys_projects.0',
    fields: 'integer: id deploy_key_id project_id\ntime: created_at updated_at\nboolean: can_push',
  },
  {
    send: 'GET /projects/acme%2Fweb/dependencies',
    at: '0',
    fields: 'text: name version package_manager dependency_file_path\nlist: vulnerabilities',
  },
  { send: 'GET /projects/acme%2Fweb/dependencies', at: '0.vulnerabilities.0', fields: 'text: name severity' },
  {
    send: 'GET /projects/acme%2Fweb/error_tracking/settings',
    fields: 'boolean: active\ntext: project_name tracker_external_url api_url',
  },
  {
    send: 'PATCH /projects/acme%2Fweb/error_tracking/settings',
    json: { active: false },
    fields: 'boolean: active\ntext: project_name tracker_external_url api_url',
  },
  {
    send: 'GET /projects/acme%2Fweb/registry/repositories/:repository_id/tags',
    at: '0',
    fields: 'text: name path location',
  },
  {
    send: 'GET /projects/acme%2Fweb/registry/repositories/:repository_id/tags/v1',
    fields: 'text: name path location revision short_revision digest\ntime: created_at\ninteger: total_size',
  },
  { send: 'GET /application/settings', fields: settings },
  { send: 'PUT /application/settings', json: { sign_in_text: 'Hello' }, fields: settings },
  // Documented fields of secondary nodes; a primary node synchronizes nothing.
  { send: 'GET /geo_nodes', at: '1', fields: replicaNode },
  { send: 'GET /geo_nodes/2', fields: replicaNode },
  { send: 'GET /geo_nodes/2', at: '_links', fields: 'text: self status repair' },
  { send: 'POST /geo_nodes', json: { name: 'third', url: 'https://third.example.com' }, fields: replicaNode },
  { send: 'PUT /geo_nodes/2', json: { name: 'second', url: 'https://other.example.com' }, fields: replicaNode },
  { send: 'POST /geo_nodes/2/repair', fields: replicaNode },
  { send: 'GET /geo_nodes/status', at: '0', fields: nodeStatus },

  {
    send: 'GET /api/scim/v2/groups/acme/Users',
    fields: 'list: schemas Resources\ninteger: totalResults itemsPerPage startIndex',
  },
  { send: 'GET /api/scim/v2/groups/acme/Users', at: 'Resources.0', fields: scimUser },
  { send: 'GET /api/scim/v2/groups/acme/Users/bob-1', fields: scimUser },
  { send: 'GET /api/scim/v2/groups/acme/Users/bob-1', at: 'emails.0', fields: 'text: type value\nboolean: primary' },
  { send: 'GET /api/scim/v2/groups/acme/Users/bob-1', at: 'meta', fields: 'text: resourceType' },
  {
    send: 'POST /api/scim/v2/groups/acme/Users',
    json: {
      externalId: 'new-1',
      userName: 'new-one',
      name: { formatted: 'New One', familyName: 'One', givenName: 'New' },
      emails: [{ primary: true, type: 'work', value: 'new.one@example.com' }],
      meta: { resourceType: 'User' },
    },
    fields: scimUser,
  },
]
