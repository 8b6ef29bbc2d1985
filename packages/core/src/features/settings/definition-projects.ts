import { choice, flag, list, text, visibility, whole } from './setting.ts'

/** What new projects, groups and snippets start with, and the limits of their content. */
export const projectSettings = {
  defaultProjectVisibility: visibility('private', 'Who can see a new project.', {
    governs: 'Projects that are created without saying so; never more visible than their namespace.',
  }),
  defaultGroupVisibility: visibility('private', 'Who can see a new group.', {
    governs: 'Groups that are created without saying so; never more visible than the group above.',
  }),
  defaultSnippetVisibility: visibility('private', 'Who can see a new snippet.', {
    governs: 'Snippets that are created without saying so. Until somebody sets it they are `internal`.',
  }),
  defaultProjectsLimit: whole(100_000, 'Projects a new person may own.', {
    governs: 'The projects limit of new accounts, which their own namespace is held to.',
  }),
  defaultProjectCreation: choice(0, 1, 2)(
    2,
    'Who can create projects in a group: 0 nobody, 1 maintainers, 2 developers and maintainers.',
    {
      governs: 'The `project_creation_level` of groups that are created without one.',
    },
  ),
  defaultBranchProtection: choice(
    0,
    1,
    2,
    3,
  )(
    2,
    'Default branch of a new project: 0 anyone with push rights, 1 developers push but not by force, ' +
      '2 maintainers only, 3 developers merge but do not push.',
    { governs: 'The `default_branch_protection` that groups without one of their own are told with.' },
  ),
  defaultCiConfigPath: text(null, 'Path of the pipeline file in new projects; null or empty means the usual one.', {
    governs: 'The `ci_config_path` of projects that are created without one.',
  }),
  defaultArtifactsExpireIn: text('30 days', 'How long job artifacts are kept, such as `30 days`; 0 means for ever.', {
    governs: 'The `artifacts_expire_at` of deployed jobs whose host does not say.',
  }),
  archiveBuildsInHumanReadable: text(
    null,
    'Age at which jobs are archived and cannot run again, such as `3 months`, at least 1 day; empty means never.',
  ),
  autoDevopsEnabled: flag(true, 'Projects without a pipeline file of their own get the automatic one.'),
  autoDevopsDomain: text(null, 'Domain under which automatic pipelines publish review and production apps.'),
  containerRegistryTokenExpireDelay: whole(5, 'Minutes for which a container registry token is valid.'),
  containerExpirationPoliciesEnableHistoricEntries: flag(
    false,
    'Projects from before tag clean-up policies existed can have one too.',
  ),
  npmPackageRequestsForwarding: flag(true, 'Requests for npm packages that are not here go on to the public registry.'),
  repositoryStorages: list(['default'], 'Names of the storages on which new repositories are put.', {
    governs: 'The `repository_storage` of new projects: one of these, at random.',
  }),
  maxAttachmentSize: whole(10, 'Largest attachment, in MB.'),
  maxImportSize: whole(50, 'Largest project import, in MB; 0 means no limit.'),
  diffMaxPatchBytes: whole(102_400, 'Bytes above which the difference of one file is not shown (102400 to 512000).', {
    governs: 'Comparisons: the `diff` of a larger file is empty.',
  }),
  issuesCreateLimit: whole(300, 'Issues one person may open in a minute; 0 means no limit.', {
    governs: 'How often issues can be opened over HTTP where limits are switched on.',
  }),
  rawBlobRequestLimit: whole(300, 'Requests a minute for one raw file of a project; 0 means no limit.', {
    governs: 'How often one raw file can be read over HTTP where limits are switched on.',
  }),
}
