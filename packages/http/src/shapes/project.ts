import {
  formatSshUrl,
  type ProjectDetails,
  type ProjectLicense,
  type ProjectNamespace,
  type ProjectPage,
  type ProjectRecord,
  type ProjectStatistics,
  type ProjectWithAccess,
  type SharedGroup,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import {
  DateTime,
  Integer,
  NullableDate,
  NullableDateTime,
  NullableInteger,
  NullableText,
  Url,
} from '../reply/field-types.ts'
import { pageOf, type Responder } from '../reply/responders.ts'
import { computed, list, nullable, optional, type Site, type Wire, wire } from '../reply/wire.ts'
import { avatarUrlField } from './avatar-url.ts'
import { CustomAttributeWire } from './custom-attribute.ts'
import { UserSummaryWire } from './user.ts'

/** A share: specification 2, "Group". */
export const SharedGroupWire = wire<SharedGroup>('SharedGroup')({
  group_id: Integer,
  group_name: v.string(),
  group_full_path: v.string(),
  group_access_level: Integer,
  expires_at: NullableDate,
})

export const ProjectNamespaceWire = wire<ProjectNamespace>('ProjectNamespace')({
  id: Integer,
  name: v.string(),
  path: v.string(),
  kind: v.string(),
  full_path: v.string(),
  parent_id: NullableInteger,
  avatar_url: avatarUrlField,
  /** URL of the page of the group or user. */
  web_url: computed(Url, ({ kind, fullPath }: ProjectNamespace, { url }: Site) =>
    kind === 'group' ? `${url}/groups/${fullPath}` : `${url}/${fullPath}`,
  ),
})

const createWebUrl = ({ fullPath }: ProjectRecord, { url }: Site) => `${url}/${fullPath}`

const createSshUrl = (project: ProjectRecord, { url, sshPort }: Site) => formatSshUrl(project, url, sshPort)

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/')

/** URL of a file on the default branch; null without one. */
const createFileUrl = (project: ProjectRecord, path: string | null, site: Site) =>
  path === null || project.defaultBranch === undefined
    ? null
    : `${createWebUrl(project, site)}/-/blob/${encodePath(project.defaultBranch)}/${encodePath(path)}`

/** Ids, names, paths and URLs. */
const identifyingFields = {
  id: Integer,
  name: v.string(),
  name_with_namespace: v.string(),
  path: v.string(),
  /** Full path: `acme/web`. */
  path_with_namespace: computed(v.string(), ({ fullPath }: ProjectRecord) => fullPath),
  /** SSH address of the repository: `git@forge.example:acme/web.git`. */
  ssh_url_to_repo: computed(v.string(), createSshUrl),
  /** URL for git over HTTP. */
  http_url_to_repo: computed(Url, (project: ProjectRecord, site: Site) => `${createWebUrl(project, site)}.git`),
  /** URL of the project's page. */
  web_url: computed(Url, createWebUrl),
  /** URL of the README on the default branch; null without one. */
  readme_url: computed(v.nullable(Url), (project: ProjectRecord, site: Site) =>
    createFileUrl(project, project.readmeFile, site),
  ),
}

/** Specification 2, "Project record", with `simple=true`. */
export const SimpleProjectWire = wire<ProjectRecord>('SimpleProject')(identifyingFields)

const Links = v.strictObject({
  /** URL of the project in this API. */
  self: Url,
  /** URL of its issues in this API; only while the project has issues. */
  issues: v.optional(Url),
  /** URL of its merge requests in this API; only while the project has merge requests. */
  merge_requests: v.optional(Url),
  /** URL of its branches in this API. */
  repo_branches: Url,
  /** URL of its labels in this API. */
  labels: Url,
  /** URL of its events in this API. */
  events: Url,
  /** URL of its members in this API. */
  members: Url,
})

const createLinks = (project: ProjectRecord, { url }: Site) => {
  const self = `${url}/api/v4/projects/${project.id}`
  return {
    self,
    ...(project.issuesEnabled && { issues: `${self}/issues` }),
    ...(project.mergeRequestsEnabled && { merge_requests: `${self}/merge_requests` }),
    repo_branches: `${self}/repository/branches`,
    labels: `${self}/labels`,
    events: `${self}/events`,
    members: `${self}/members`,
  }
}

/** The rules for the removal of old container tags. */
const ContainerExpirationPolicyWire = wire<ProjectRecord['containerExpirationPolicy']>('ContainerExpirationPolicy')({
  cadence: v.string(),
  enabled: v.boolean(),
  keep_n: NullableInteger,
  older_than: NullableText,
  name_regex: NullableText,
  /** Newer name of `name_regex`. */
  name_regex_delete: computed(NullableText, ({ nameRegex }: ProjectRecord['containerExpirationPolicy']) => nameRegex),
  name_regex_keep: NullableText,
  next_run_at: NullableDateTime,
})

/** The license of a project. */
const LicenseWire = wire<ProjectLicense>('ProjectLicense')({
  key: v.string(),
  name: v.string(),
  nickname: NullableText,
  html_url: NullableText,
  source_url: NullableText,
})

/** Whether a feature is enabled for anybody. */
const isOn = (
  level:
    | 'containerRegistryAccessLevel'
    | 'packageRegistryAccessLevel'
    | 'requirementsAccessLevel'
    | 'securityAndComplianceAccessLevel',
) => computed(v.boolean(), (project: ProjectRecord) => project[level] !== 'disabled')

const constant = <const T extends string | boolean | null>(value: T) =>
  computed(value === null ? v.null() : v.literal(value), () => value)

const basicFields = {
  ...identifyingFields,
  description: NullableText,
  created_at: DateTime,
  default_branch: v.optional(v.string()),
  tag_list: v.array(v.string()),
  /** Newer name of `tag_list`. */
  topics: computed(v.array(v.string()), ({ tagList }: ProjectRecord) => [...tagList]),
  avatar_url: avatarUrlField,
  star_count: Integer,
  forks_count: Integer,
  last_activity_at: DateTime,
  namespace: ProjectNamespaceWire,
  visibility: v.string(),
  repository_storage: v.optional(v.string()),
}

/** A project as part of another thing: the source of a fork, or the project of a board, a job or a runner. */
export const BasicProjectWire = wire<ProjectRecord>('BasicProject')(basicFields)

const StatisticsWire = wire<ProjectStatistics>('ProjectStatistics')({
  commit_count: Integer,
  storage_size: Integer,
  repository_size: Integer,
  wiki_size: Integer,
  lfs_objects_size: Integer,
  job_artifacts_size: Integer,
  /** Bytes of reports of pipelines: 0, because only artifacts of jobs are stored. */
  pipeline_artifacts_size: computed(v.literal(0), () => 0 as const),
  packages_size: Integer,
  snippets_size: Integer,
  uploads_size: Integer,
  container_registry_size: Integer,
})

const projectFields = {
  ...basicFields,
  forked_from_project: optional(BasicProjectWire),
  /** URLs of related resources. */
  _links: computed(Links, createLinks),
  owner: optional(UserSummaryWire),
  archived: v.boolean(),
  marked_for_deletion_on: NullableDate,
  /** Older name of `marked_for_deletion_on`. */
  marked_for_deletion_at: computed(NullableDate, ({ markedForDeletionOn }: ProjectRecord) => markedForDeletionOn),
  updated_at: DateTime,
  description_html: v.string(),
  resolve_outdated_diff_discussions: v.boolean(),
  /** Older form of `container_registry_access_level`. */
  container_registry_enabled: isOn('containerRegistryAccessLevel'),
  container_registry_image_prefix: v.string(),
  /** Older form of `package_registry_access_level`. */
  packages_enabled: isOn('packageRegistryAccessLevel'),
  /** Older form of `security_and_compliance_access_level`. */
  security_and_compliance_enabled: isOn('securityAndComplianceAccessLevel'),
  /** Older form of `requirements_access_level`. */
  requirements_enabled: isOn('requirementsAccessLevel'),
  container_expiration_policy: ContainerExpirationPolicyWire,
  issues_enabled: v.boolean(),
  merge_requests_enabled: v.boolean(),
  wiki_enabled: v.boolean(),
  jobs_enabled: v.boolean(),
  snippets_enabled: v.boolean(),
  can_create_merge_request_in: v.boolean(),
  issues_access_level: v.string(),
  repository_access_level: v.string(),
  merge_requests_access_level: v.string(),
  forking_access_level: v.string(),
  wiki_access_level: v.string(),
  builds_access_level: v.string(),
  snippets_access_level: v.string(),
  pages_access_level: v.string(),
  analytics_access_level: v.string(),
  container_registry_access_level: v.string(),
  environments_access_level: v.string(),
  feature_flags_access_level: v.string(),
  infrastructure_access_level: v.string(),
  model_experiments_access_level: v.string(),
  model_registry_access_level: v.string(),
  monitor_access_level: v.string(),
  package_registry_access_level: v.string(),
  releases_access_level: v.string(),
  requirements_access_level: v.string(),
  security_and_compliance_access_level: v.string(),
  emails_disabled: v.nullable(v.boolean()),
  /** The opposite of `emails_disabled`. */
  emails_enabled: computed(v.boolean(), ({ emailsDisabled }: ProjectRecord) => !emailsDisabled),
  show_diff_preview_in_email: v.boolean(),
  shared_runners_enabled: v.boolean(),
  runners_token: v.optional(v.string()),
  group_runners_enabled: v.boolean(),
  runner_token_expiration_interval: NullableInteger,
  lfs_enabled: v.boolean(),
  creator_id: NullableInteger,
  import_status: v.string(),
  import_url: v.optional(NullableText),
  import_type: v.optional(NullableText),
  import_error: v.optional(NullableText),
  open_issues_count: v.optional(Integer),
  ci_default_git_depth: NullableInteger,
  ci_delete_pipelines_in_seconds: NullableInteger,
  ci_forward_deployment_enabled: v.boolean(),
  ci_forward_deployment_rollback_allowed: v.boolean(),
  /** Whether tokens of jobs are limited to a list of projects that they can access: false, because there is no such list. */
  ci_job_token_scope_enabled: constant(false),
  ci_separated_caches: v.boolean(),
  ci_allow_fork_pipelines_to_run_in_parent_project: v.boolean(),
  ci_id_token_sub_claim_components: v.array(v.string()),
  ci_restrict_pipeline_cancellation_role: v.string(),
  build_git_strategy: v.string(),
  keep_latest_artifact: v.boolean(),
  max_artifacts_size: NullableInteger,
  resource_group_default_process_mode: v.string(),
  allow_pipeline_trigger_approve_deployment: v.boolean(),
  public_jobs: v.boolean(),
  restrict_user_defined_variables: v.boolean(),
  ci_pipeline_variables_minimum_override_role: v.string(),
  build_timeout: Integer,
  auto_cancel_pending_pipelines: v.string(),
  ci_push_repository_for_job_token_allowed: v.boolean(),
  build_coverage_regex: NullableText,
  ci_config_path: v.optional(NullableText),
  shared_with_groups: list(SharedGroupWire),
  only_allow_merge_if_pipeline_succeeds: v.boolean(),
  allow_merge_on_skipped_pipeline: v.boolean(),
  only_allow_merge_if_all_status_checks_passed: v.boolean(),
  prevent_merge_without_jira_issue: v.boolean(),
  merge_request_title_regex: NullableText,
  merge_request_title_regex_description: NullableText,
  merge_pipelines_enabled: v.boolean(),
  merge_trains_enabled: v.boolean(),
  merge_trains_skip_train_allowed: v.boolean(),
  mr_default_target_self: v.boolean(),
  web_based_commit_signing_enabled: v.boolean(),
  auto_duo_code_review_enabled: v.boolean(),
  duo_remote_flows_enabled: v.boolean(),
  request_access_enabled: v.boolean(),
  only_allow_merge_if_all_discussions_are_resolved: v.boolean(),
  remove_source_branch_after_merge: v.nullable(v.boolean()),
  printing_merge_request_link_enabled: v.boolean(),
  merge_method: v.string(),
  squash_option: v.string(),
  merge_commit_template: NullableText,
  squash_commit_template: NullableText,
  approvals_before_merge: Integer,
  suggestion_commit_message: NullableText,
  issues_template: NullableText,
  merge_requests_template: NullableText,
  issue_branch_template: NullableText,
  enforce_auth_checks_on_uploads: v.boolean(),
  warn_about_potentially_unwanted_characters: v.boolean(),
  external_authorization_classification_label: v.string(),
  mirror: v.boolean(),
  mirror_user_id: v.optional(NullableInteger),
  mirror_trigger_builds: v.optional(v.boolean()),
  only_mirror_protected_branches: v.optional(v.nullable(v.boolean())),
  mirror_branch_regex: v.optional(NullableText),
  mirror_overwrites_diverged_branches: v.optional(v.boolean()),
  /** Whether the project has an e-mail address for new issues: false, because there are none. */
  service_desk_enabled: constant(false),
  /** The address for new issues; null, because there is none. */
  service_desk_address: constant(null),
  /** Compliance frameworks of the project: empty, because there are none. */
  compliance_frameworks: computed(v.array(v.string()), () => []),
  /** Whether pushes are searched for secrets: false, because they are not. */
  secret_push_protection_enabled: constant(false),
  /** Older form of `secret_push_protection_enabled`. */
  pre_receive_secret_detection_enabled: constant(false),
  /** Whether pipelines of security policies can read the repository: false, because there are no such policies. */
  spp_repository_pipeline_access: constant(false),
  /** Kind of the object names in the repository. */
  repository_object_format: constant('sha1'),
  auto_devops_enabled: v.boolean(),
  auto_devops_deploy_strategy: v.string(),
  autoclose_referenced_issues: v.boolean(),
  empty_repo: v.boolean(),
  custom_attributes: optional(list(CustomAttributeWire)),
  statistics: optional(StatisticsWire),
  license: optional(nullable(LicenseWire)),
  /** URL of the file with the license on the default branch; null without one. */
  license_url: computed(v.optional(v.nullable(Url)), (project: ProjectRecord, site: Site) =>
    project.license === undefined ? undefined : createFileUrl(project, project.license?.path ?? null, site),
  ),
}

/** Specification 2, "Project record". */
export const ProjectWire = wire<ProjectRecord>('Project')(projectFields)

type AccessGrant = NonNullable<ProjectDetails['permissions']['projectAccess']>

const AccessGrantWire = wire<AccessGrant>('ProjectAccessGrant')({ access_level: Integer, notification_level: Integer })

/** The access levels of the current user. */
const PermissionsWire = wire<ProjectDetails['permissions']>('ProjectPermissions')({
  project_access: nullable(AccessGrantWire),
  group_access: nullable(AccessGrantWire),
})

/** A single project, with the access levels of the current user. */
export const ProjectDetailsWire = wire<ProjectDetails>('ProjectDetails')({
  ...projectFields,
  permissions: PermissionsWire,
})

/** A project of a list, with the access levels of the current user. */
const ProjectWithAccessWire = wire<ProjectWithAccess>('ProjectWithAccess')({
  ...projectFields,
  permissions: optional(PermissionsWire),
})

/** A responder of pages of projects, with all fields or with those of `simple=true`. */
// biome-ignore lint/suspicious/noExplicitAny: wires of projects have different fields
const createPage = <T extends ProjectRecord>(item: Wire<T, any>): Responder<ProjectPage<T>> =>
  pageOf<ProjectPage<T>, T>([item, SimpleProjectWire], ({ simple }) => (simple ? SimpleProjectWire : item))

/** A page of projects. */
export const projectPage = createPage(ProjectWire)

/** A page of projects, with the access levels of the current user. */
export const projectPageWithAccess = createPage(ProjectWithAccessWire)
