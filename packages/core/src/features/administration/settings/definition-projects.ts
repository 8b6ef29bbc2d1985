import { choice, choices, flag, integer, list, text, visibility } from './setting.ts'

const noAutoDevops = { noEffect: 'The platform contains no automatic pipeline.' } as const

/** Defaults of new projects, groups and snippets, and limits of their content. */
export const projectDefaultSettings = {
  defaultProjectVisibility: visibility('private', 'Default visibility of new projects.', {
    effect: 'Projects created without a visibility; reduced to the visibility of their namespace.',
  }),
  defaultGroupVisibility: visibility('private', 'Default visibility of new groups.', {
    effect: 'Groups created without a visibility; reduced to the visibility of their parent group.',
  }),
  defaultSnippetVisibility: visibility('private', 'Default visibility of new snippets.', {
    effect: 'Snippets created without a visibility.',
  }),
  restrictedVisibilityLevels: choices('private', 'internal', 'public')(
    [],
    'Visibility levels that only administrators can choose for projects, groups and snippets.',
    { effect: 'Refused for other users; new objects without a visibility get the most visible permitted one.' },
  ),
  defaultBranchName: text(null, 'Name of the default branch of new projects; null or empty means `main`.', {
    effect: 'Projects created without a default branch in groups that have no name of their own for it.',
  }),
  defaultProjectsLimit: integer(100_000, 'Projects limit of new users.', {
    effect: 'Maximum number of projects in the personal namespace of users created afterwards.',
  }),
  defaultProjectCreation: choice(0, 1, 2)(
    2,
    'Who can create projects in new groups: 0 no one, 1 maintainers, 2 developers and maintainers.',
    {
      effect: 'The `project_creation_level` of groups created without one.',
    },
  ),
  defaultBranchProtection: choice(
    0,
    1,
    2,
    3,
    4,
  )(
    2,
    'Protection of the default branch of new projects: 0 none, 1 developers push and merge without force-push, ' +
      '2 maintainers only, 3 maintainers push and developers merge, 4 as 2, but developers can make the first push.',
    {
      effect:
        'The rule that protects the first branch of a project, unless its group has a `default_branch_protection`. With 2 ' +
        'and 3, developers cannot make the first push.',
    },
  ),
  defaultCiConfigPath: text(null, 'Path of the pipeline file in new projects; null or empty means the default path.', {
    effect: 'The `ci_config_path` of projects created without one.',
  }),
  defaultArtifactsExpireIn: text('30 days', 'Lifetime of job artifacts, such as `30 days`; 0 means unlimited.', {
    effect: 'The `artifacts_expire_at` of deployment jobs recorded without one.',
  }),
  archiveBuildsInHumanReadable: text(
    null,
    'Age after which jobs are archived and cannot be retried, such as `3 months` (at least 1 day); empty means never.',
    {
      effect:
        'Pipelines that were created earlier are not changed any more: retrying, playing and canceling their jobs is 403.',
    },
  ),
  autoDevopsEnabled: flag(
    true,
    'Projects without a pipeline file use the automatic pipeline (Auto DevOps).',
    noAutoDevops,
  ),
  autoDevopsDomain: text(null, 'Domain of the review and production apps of automatic pipelines.', noAutoDevops),
  containerRegistryTokenExpireDelay: integer(5, 'Lifetime of a container registry token in minutes.', {
    effect: 'The expiry of tokens that `/jwt/auth` issues.',
  }),
  containerExpirationPoliciesEnableHistoricEntries: flag(
    false,
    'Enables tag clean-up policies for projects that were created before these policies existed.',
    { noEffect: 'All projects of the platform are newer than these policies, and can use them.' },
  ),
  npmPackageRequestsForwarding: flag(true, 'Requests for unknown npm packages are forwarded to the public registry.', {
    noEffect: 'Unknown packages are 404: the platform refers clients to no registry of others.',
  }),
  repositoryStorages: list(['default'], 'Names of the storages for new repositories.', {
    effect:
      'The `repository_storage` of new projects: one of these, chosen at random. Names that the host has not configured are refused.',
  }),
  maxAttachmentSize: integer(10, 'Maximum size of an attachment, in MB.', {
    effect: 'Maximum size of a file that is uploaded to a project.',
  }),
  maxImportSize: integer(50, 'Maximum size of a project import, in MB; 0 means no limit.', {
    effect: 'Larger archives of projects and groups are rejected.',
  }),
  receiveMaxInputSize: integer(0, 'Maximum size of a push, in MB; 0 means no limit.', {
    effect: 'Pushes over HTTP with more data are rejected.',
  }),
  maxPackageFileSize: integer(5_120, 'Maximum size of a file of a package, in MB; 0 means no limit.', {
    effect: 'Larger files are rejected when they are published.',
  }),
  maxPackagesSize: integer(0, 'Maximum size of all packages of a project, in MB; 0 means no limit.', {
    effect: 'Files that would exceed it are rejected when they are published.',
  }),
  diffMaxPatchBytes: integer(102_400, 'Maximum size of the diff of one file, in bytes (102400 to 512000).', {
    effect: 'In comparisons, commits and merge requests, the `diff` of a file above this size is empty.',
  }),
  issuesCreateLimit: integer(300, 'Maximum number of issues a user can create per minute; 0 means no limit.', {
    effect: 'Creating issues over HTTP while rate limits are enabled.',
  }),
  notesCreateLimit: integer(300, 'Maximum number of comments a user can create per minute; 0 means no limit.', {
    effect: 'Creating comments and discussions over HTTP while rate limits are enabled.',
  }),
  searchRateLimit: integer(30, 'Maximum number of searches of a user per minute; 0 means no limit.', {
    effect: 'Searches over HTTP and on pages while rate limits are enabled.',
  }),
  snippetSizeLimit: integer(52_428_800, 'Maximum size of the files of a snippet, in bytes.', {
    effect: 'Larger snippets are rejected. A file has at most 1,000,000 characters in any case.',
  }),
  wikiPageMaxContentBytes: integer(52_428_800, 'Maximum size of a wiki page, in bytes (at least 1024).', {
    effect: 'Larger pages are rejected. A page has at most 1,000,000 characters in any case.',
  }),
  maxArtifactsSize: integer(100, 'Maximum size of the artifacts of a job, in MB.', {
    effect: 'Larger archives of runners are rejected. The HTTP API accepts at most 100 MB in any case.',
  }),
  rawBlobRequestLimit: integer(
    300,
    'Maximum number of requests per minute for one raw file of a project; 0 means no limit.',
    {
      effect: 'Raw files by blob id and by path, over the API and on pages, while rate limits are enabled.',
    },
  ),
}
