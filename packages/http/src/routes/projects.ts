import {
  type DailyFetches,
  type FetchStatistics,
  features,
  type ProjectStorage,
  type RepositoryLanguage,
  type Share,
  type Starrer,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDate, NullableInteger } from '../reply/field-types.ts'
import type { Reply } from '../reply/reply.ts'
import { accepted, created, empty, one, oneIfChanged, page, type Responder } from '../reply/responders.ts'
import { computed, document, list, type Site, wire } from '../reply/wire.ts'
import { isParameters, toBoolean } from '../request/converters.ts'
import type { Parameters } from '../request/parameters.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { ProjectDetailsWire, projectPageWithAccess } from '../shapes/project.ts'
import { UserSummaryWire } from '../shapes/user.ts'
import { avatarOptions, readEmptyAvatar } from './avatars.ts'
import { emailsEnabledParameter, readEmailsEnabled } from './emails-enabled.ts'

const { members, projects, repository, shares } = features

/** A user who starred a project. */
const StarrerWire = wire<Starrer>('Starrer')({ starred_since: DateTime, user: UserSummaryWire })

/** A share of a project with a group. */
const ProjectShareWire = wire<Share>('ProjectShare')({
  id: Integer,
  project_id: NullableInteger,
  group_id: Integer,
  /** Maximum level of the members of the group. */
  group_access: computed(Integer, ({ accessLevel }: Share) => accessLevel),
  expires_at: NullableDate,
})

/** Where the repository of a project is stored. */
const ProjectStorageWire = wire<ProjectStorage>('ProjectStorage')({
  project_id: Integer,
  disk_path: v.nullable(v.string()),
  repository_storage: v.string(),
  created_at: DateTime,
})

/** Clones and pulls of one day. */
const DailyFetchesWire = wire<DailyFetches>('DailyFetches')({ count: Integer, date: v.string() })

/** Clones and pulls of the last 30 days. */
const FetchesWire = wire<FetchStatistics['fetches']>('ProjectFetches')({
  total: Integer,
  days: list(DailyFetchesWire),
})

/** How often a project is cloned and pulled. */
const FetchStatisticsWire = wire<FetchStatistics>('FetchStatistics')({ fetches: FetchesWire })

const LanguagesWire = document(
  'ProjectLanguages',
  v.pipe(v.record(v.string(), v.number()), v.description('Percentages of the code by the names of languages.')),
  (languages: readonly RepositoryLanguage[]) => Object.fromEntries(languages.map(({ name, share }) => [name, share])),
)

const languagesReply: Responder<readonly RepositoryLanguage[]> = Object.assign(
  (languages: readonly RepositoryLanguage[], site: Site): Reply => ({
    status: 200,
    body: LanguagesWire.map(languages, site),
  }),
  { status: 200, shape: LanguagesWire },
)

/** Older parameters that turn a feature on or off, with those that replace them. */
const switches: Readonly<Record<string, string>> = {
  issues_enabled: 'issues_access_level',
  merge_requests_enabled: 'merge_requests_access_level',
  snippets_enabled: 'snippets_access_level',
  wiki_enabled: 'wiki_access_level',
  jobs_enabled: 'builds_access_level',
  container_registry_enabled: 'container_registry_access_level',
  packages_enabled: 'package_registry_access_level',
}

/** Features that one older parameter controlled together. */
const operationsLevels = [
  'environments_access_level',
  'feature_flags_access_level',
  'infrastructure_access_level',
  'monitor_access_level',
  'releases_access_level',
]

const isOff = (value: unknown) => toBoolean(value) === false

/** The rules for tags, with the newer name of `name_regex`. */
const readPolicy = (policy: unknown): unknown => {
  if (!isParameters(policy)) return policy
  const { name_regex_delete: pattern, ...rules } = policy
  return { ...rules, ...(pattern !== undefined && { name_regex: pattern }) }
}

/** Converts the older parameters; the newer ones take precedence. */
const readOlderParameters = ({
  topics,
  public_builds: publicBuilds,
  operations_access_level: operations,
  fallback_approvals_required: approvals,
  container_expiration_policy_attributes: policy,
  ...sent
}: Parameters): Parameters => {
  const read: Parameters = {
    ...(topics !== undefined && { tag_list: topics }),
    ...(publicBuilds !== undefined && { public_jobs: publicBuilds }),
    ...(approvals !== undefined && { approvals_before_merge: approvals }),
    ...(policy !== undefined && { container_expiration_policy_attributes: readPolicy(policy) }),
    ...(operations !== undefined && Object.fromEntries(operationsLevels.map((name) => [name, operations]))),
    ...sent,
  }
  for (const [older, newer] of Object.entries(switches)) {
    if (sent[older] !== undefined && sent[newer] === undefined)
      read[newer] = isOff(sent[older]) ? 'disabled' : 'enabled'
  }
  return read
}

/** Other names and older forms of parameters, which `readProjectParameters` converts. */
export const olderParameters = {
  ...emailsEnabledParameter,
  public_builds: v.optional(v.pipe(v.boolean(), v.description('Older form of `public_jobs`, which takes precedence.'))),
  operations_access_level: v.optional(
    v.pipe(
      v.picklist(['disabled', 'private', 'enabled']),
      v.description(
        `Older form of ${operationsLevels.map((name) => `\`${name}\``).join(', ')}, which take precedence.`,
      ),
    ),
  ),
  fallback_approvals_required: v.optional(
    v.pipe(v.number(), v.description('Newer form of `approvals_before_merge`, which takes precedence.')),
  ),
  topics: v.optional(v.pipe(v.array(v.string()), v.description('Topics of the project: another name of `tag_list`.'))),
  ...Object.fromEntries(
    Object.entries(switches).map(([older, newer]) => [
      older,
      v.optional(v.pipe(v.boolean(), v.description(`Older form of \`${newer}\`, which takes precedence.`))),
    ]),
  ),
}

/** Converts other names and older forms of parameters of a project. */
export const readProjectParameters = (parameters: Parameters): Parameters =>
  readEmailsEnabled(readOlderParameters(parameters))

const settingsOptions = {
  ...avatarOptions,
  extension: true,
  flatten: 'settings',
  names: { container_expiration_policy_attributes: 'containerExpirationPolicy' },
  // These describe the state of a project, which clients do not change.
  hidden: [
    'hasSecurityReports',
    'avatarUrl',
    'importStatus',
    'importType',
    'importError',
    'importSource',
    'readmePath',
    'license',
    'ciInboundJobTokenScopeEnabled',
  ],
  rewrite: (parameters) => readEmptyAvatar(readProjectParameters(parameters)),
  wireParameters: olderParameters,
} satisfies RouteOptions

const creationOptions = {
  ...settingsOptions,
  names: {
    ...settingsOptions.names,
    template_project_id: 'templateProject',
    group_with_project_templates_id: 'templatesGroup',
  },
  hidden: [...settingsOptions.hidden, 'forkedFrom'],
} satisfies RouteOptions

const extension = { extension: true } as const
const unprocessable = { extension: true, errors: [422] } satisfies RouteOptions
/** Users act for themselves. */
const own = { ...extension, hidden: ['user'] }

const managementRoutes = [
  route('POST /projects', projects.create, one(ProjectDetailsWire), {
    ...creationOptions,
    names: { ...creationOptions.names, namespace_id: 'namespace' },
    hidden: [...creationOptions.hidden, 'user'],
  }),
  route('POST /projects/user/:user_id', projects.create, one(ProjectDetailsWire), {
    ...creationOptions,
    names: { ...creationOptions.names, namespace_id: 'namespace', user_id: 'user' },
    numericOnly: ['user_id'],
  }),
  route('PUT /projects/:id', projects.update, one(ProjectDetailsWire), settingsOptions),
  route('DELETE /projects/:id', projects.remove, accepted(), extension),
  route('POST /projects/:id/restore', projects.restore, one(ProjectDetailsWire), extension),
  route('POST /projects/:id/archive', projects.archive, one(ProjectDetailsWire), unprocessable),
  route('POST /projects/:id/unarchive', projects.unarchive, one(ProjectDetailsWire), unprocessable),
  route('POST /projects/:id/star', projects.star, oneIfChanged('project', ProjectDetailsWire), own),
  route('POST /projects/:id/unstar', projects.unstar, oneIfChanged('project', ProjectDetailsWire), own),
  route('GET /projects/:id/starrers', projects.listStarrers, page(StarrerWire), extension),
]

const groupInputs = [
  'group',
  'withShared',
  'onlyShared',
  'includeSubgroups',
  'includeAncestorGroups',
  'withSecurityReports',
]

export const projectRoutes = [
  route('GET /projects', projects.list, projectPageWithAccess, {
    ...extension,
    hidden: [...groupInputs, 'user', 'starredBy', 'contributedBy'],
  }),
  route('GET /projects/:id', projects.get, one(ProjectDetailsWire), extension),
  route('GET /users/:user_id/projects', projects.list, projectPageWithAccess, {
    ...extension,
    names: { user_id: 'user' },
    hidden: [...groupInputs, 'starredBy', 'contributedBy'],
  }),
  route('GET /users/:user_id/starred_projects', projects.list, projectPageWithAccess, {
    ...extension,
    names: { user_id: 'starredBy' },
    hidden: [...groupInputs, 'user', 'contributedBy'],
  }),
  route('GET /users/:user_id/contributed_projects', projects.list, projectPageWithAccess, {
    ...extension,
    names: { user_id: 'contributedBy' },
    hidden: [...groupInputs, 'user', 'starredBy'],
  }),
  ...managementRoutes,
  route('PUT /projects/:id/transfer', projects.transfer, one(ProjectDetailsWire), unprocessable),
  route('POST /projects/:id/housekeeping', repository.maintain, created(), extension),
  route('GET /projects/:id/languages', repository.getLanguages, languagesReply, extension),
  route('GET /projects/:id/statistics', repository.getFetchStatistics, one(FetchStatisticsWire), extension),
  route('GET /projects/:id/storage', repository.getStorage, one(ProjectStorageWire), extension),
  route('GET /projects/:id/users', members.list, page(UserSummaryWire), {
    ...extension,
    fixedInput: { inherited: true },
    names: { search: 'query' },
    hidden: ['showSeatInfo', 'withSamlIdentity'],
  }),
  route('POST /projects/:id/share', shares.create, one(ProjectShareWire), {
    ...extension,
    names: { group_id: 'withGroup', group_access: 'accessLevel' },
  }),
  route('DELETE /projects/:id/share/:group_id', shares.remove, empty(), {
    ...extension,
    names: { group_id: 'withGroup' },
  }),
]
