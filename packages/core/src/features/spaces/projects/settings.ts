import * as v from 'valibot'
import { featureLevels, type PipelineReaders } from '../../../access/levels.ts'

const Text = v.nullable(v.pipe(v.string(), v.maxLength(10_000)))
const FeatureLevel = v.picklist(featureLevels)
/** Template of a commit message. */
const Template = v.nullable(v.pipe(v.string(), v.maxLength(500)))
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** Scheduled clean-up of container registry tags. */
const ExpirationPolicy = v.strictObject({
  /** `1d`, `7d`, `14d`, `1month`, `3month`. */
  cadence: v.string(),
  /** Whether tags are removed on schedule. */
  enabled: v.boolean(),
  /** Number of newest matching tags per repository to keep; null for none. */
  keepN: v.nullable(Count),
  /** Minimum age of removed tags, such as `7d` or `1month`; null for any. */
  olderThan: v.nullable(v.string()),
  /** RE2 expression that the whole name of a removed tag matches. Null or an invalid one removes nothing. */
  nameRegex: Text,
  /** RE2 expression of names to keep, with precedence over `nameRegex`; null for none. */
  nameRegexKeep: Text,
  /** Time of the next run, in ISO 8601, UTC; null before the first. Each run sets it. */
  nextRunAt: v.nullable(v.string()),
})

/** Settings without a column of their own, stored together as JSON: specification 2, "Project record". */
const schemas = {
  /** Topics of the project: at most 100, each at most 255 characters. */
  tagList: v.pipe(v.array(v.pipe(v.string(), v.maxLength(255))), v.maxLength(100)),
  /** Who can use the wiki: `enabled` everyone who sees the project, `private` members, `disabled` no one. */
  wikiAccessLevel: FeatureLevel,
  /**
   * Who can see pipelines, jobs, logs, artifacts and schedules: `enabled` everyone who sees the project, `private` members, `disabled`
   * no one, and no pipelines are created. See `publicJobs`.
   */
  buildsAccessLevel: FeatureLevel,
  /** Who can fork: `enabled` everyone who sees the code, `private` members, `disabled` no one. */
  forkingAccessLevel: FeatureLevel,
  /**
   * Who can see the pages: `enabled` as the project, `private` members, `public` everyone. `disabled` turns off Pages
   * domains.
   */
  pagesAccessLevel: v.picklist([...featureLevels, 'public']),
  /** Whether pipelines use shared runners. Stored only: the platform runs no pipelines. */
  sharedRunnersEnabled: v.boolean(),
  /** Whether all who can use pipelines by `buildsAccessLevel` see them; false limits them to reporters and above. */
  publicJobs: v.boolean(),
  /** Whether a push resolves discussions on lines that it changes. Stored only: pushes leave discussions as they are. */
  resolveOutdatedDiffDiscussions: v.boolean(),
  /** Whether the project has a container registry. False hides its repositories and pauses clean-up. */
  containerRegistryEnabled: v.boolean(),
  /** Scheduled removal of container registry tags; updates replace the whole policy. */
  containerExpirationPolicy: ExpirationPolicy,
  /**
   * Whether notification e-mails of the project are turned off; null (default): not set. If it is true here or for a group
   * above, `notificationSettings.listRecipients` lists no one. The host application sends the mail.
   */
  emailsDisabled: v.nullable(v.boolean()),
  /** Whether the project accepts Git LFS objects. Stored only: the platform has no Git LFS. */
  lfsEnabled: v.boolean(),
  /** State of an import from another service; `none` without one. Set by the host application. */
  importStatus: v.picklist(['none', 'scheduled', 'started', 'finished', 'failed']),
  /** Number of commits that pipelines fetch; 0 or null for all. Stored only: the platform runs no pipelines. */
  ciDefaultGitDepth: v.nullable(Count),
  /** Maximum duration of a pipeline job in seconds. Stored only: the platform runs no pipelines. */
  buildTimeout: Count,
  /** Whether a pipeline that a push creates cancels older ones of its branch that have not ended. */
  autoCancelPendingPipelines: v.picklist(['enabled', 'disabled']),
  /** Whether only job tokens of the project's own jobs and of its allowlists are permitted. See `jobTokenScopes`. */
  ciInboundJobTokenScopeEnabled: v.boolean(),
  /** Whether jobs of the project can push to its repository with their tokens. */
  ciPushRepositoryForJobTokenAllowed: v.boolean(),
  /** Whether only the roles of `ciPipelineVariablesMinimumOverrideRole` set variables of new pipelines. */
  restrictUserDefinedVariables: v.boolean(),
  /** The lowest role that sets variables of new pipelines while `restrictUserDefinedVariables` is true. */
  ciPipelineVariablesMinimumOverrideRole: v.picklist(['no_one_allowed', 'developer', 'maintainer', 'owner']),
  /** Regular expression that finds the test coverage in job logs; null for none. Stored only: the platform reads no logs. */
  buildCoverageRegex: Text,
  /**
   * Path of the pipeline file; null for the default one. Default of new projects: the setting `defaultCiConfigPath`.
   */
  ciConfigPath: Text,
  /** Whether merging requires a successful pipeline of the merge request. */
  onlyAllowMergeIfPipelineSucceeds: v.boolean(),
  /** Whether merging requires all discussions of the merge request to be resolved. */
  onlyAllowMergeIfAllDiscussionsAreResolved: v.boolean(),
  /** Whether the merge of a new merge request removes the source branch, unless it says otherwise; null for no. */
  removeSourceBranchAfterMerge: v.nullable(v.boolean()),
  /** Whether a push prints a link to open a merge request. Stored only: pushes print no links. */
  printingMergeRequestLinkEnabled: v.boolean(),
  /**
   * `merge`: a merge commit. `rebase_merge`: a merge commit, if the source branch contains the target branch. `ff`: no
   * merge commit; the target branch moves to the source branch, which must contain it.
   */
  mergeMethod: v.picklist(['merge', 'rebase_merge', 'ff']),
  /**
   * Whether a merge combines the commits of the source branch: `never`, `always`, or as the merge request says, with
   * `default_on` or `default_off` as the default of new merge requests.
   */
  squashOption: v.picklist(['never', 'always', 'default_on', 'default_off']),
  /** Template of the messages of merge commits, with variables such as `%{title}`; null for the default. */
  mergeCommitTemplate: Template,
  /** Template of the messages of squash commits, with variables such as `%{title}`; null for the default. */
  squashCommitTemplate: Template,
  /** Number of approvals that a merge requires. */
  approvalsBeforeMerge: Count,
  /** Whether a push to the source branch of a merge request removes its approvals. */
  resetApprovalsOnPush: v.boolean(),
  /** Whether merge requests cannot have approval rules of their own. */
  disableOverridingApproversPerMergeRequest: v.boolean(),
  /** Whether authors can approve their own merge requests. */
  mergeRequestsAuthorApproval: v.boolean(),
  /** Template for the commit message of applied suggestions; null for the default. Stored only: suggestions are not applied. */
  suggestionCommitMessage: Text,
  /** Whether pipelines are generated automatically. Stored only: the platform generates none. */
  autoDevopsEnabled: v.boolean(),
  /** How generated pipelines deploy: `continuous`, `manual`, or `timed_incremental` in timed steps. Stored only. */
  autoDevopsDeployStrategy: v.picklist(['continuous', 'manual', 'timed_incremental']),
  /** Whether a merge into the default branch closes the issues that the merge request or its commits name. */
  autocloseReferencedIssues: v.boolean(),
  /** Name of the storage of the repository. Default of new projects: one of the setting `repositoryStorages`. */
  repositoryStorage: v.string(),
  /** Path of the readme in the default branch, such as `README.md`; null without one. Updated after each push. */
  readmePath: Text,
}

const ProjectSettingsSchema = v.strictObject(schemas)

export type ProjectSettings = v.InferOutput<typeof ProjectSettingsSchema>

export const ProjectSettingsInput = v.partial(ProjectSettingsSchema)
export type PartialProjectSettings = v.InferOutput<typeof ProjectSettingsInput>

const defaults: ProjectSettings = {
  tagList: [],
  wikiAccessLevel: 'enabled',
  buildsAccessLevel: 'enabled',
  forkingAccessLevel: 'enabled',
  pagesAccessLevel: 'enabled',
  sharedRunnersEnabled: true,
  publicJobs: true,
  resolveOutdatedDiffDiscussions: false,
  containerRegistryEnabled: true,
  containerExpirationPolicy: {
    cadence: '7d',
    enabled: false,
    keepN: null,
    olderThan: null,
    nameRegex: null,
    nameRegexKeep: null,
    nextRunAt: null,
  },
  emailsDisabled: null,
  lfsEnabled: true,
  importStatus: 'none',
  ciDefaultGitDepth: 50,
  buildTimeout: 3_600,
  autoCancelPendingPipelines: 'enabled',
  ciInboundJobTokenScopeEnabled: true,
  ciPushRepositoryForJobTokenAllowed: false,
  restrictUserDefinedVariables: false,
  ciPipelineVariablesMinimumOverrideRole: 'maintainer',
  buildCoverageRegex: null,
  ciConfigPath: null,
  onlyAllowMergeIfPipelineSucceeds: false,
  onlyAllowMergeIfAllDiscussionsAreResolved: false,
  removeSourceBranchAfterMerge: null,
  printingMergeRequestLinkEnabled: true,
  mergeMethod: 'merge',
  squashOption: 'default_off',
  mergeCommitTemplate: null,
  squashCommitTemplate: null,
  approvalsBeforeMerge: 0,
  resetApprovalsOnPush: false,
  disableOverridingApproversPerMergeRequest: false,
  mergeRequestsAuthorApproval: true,
  suggestionCommitMessage: null,
  autoDevopsEnabled: false,
  autoDevopsDeployStrategy: 'continuous',
  autocloseReferencedIssues: true,
  repositoryStorage: 'default',
  readmePath: null,
}

/** The stored settings, completed with defaults. */
export const withDefaultSettings = (stored: PartialProjectSettings | null): ProjectSettings =>
  ({ ...defaults, ...stored }) as ProjectSettings

/** Who can see pipelines by the stored settings of a project. */
export const findPipelineReaders = (stored: PartialProjectSettings | null): PipelineReaders => {
  const { buildsAccessLevel, publicJobs } = withDefaultSettings(stored)
  if (buildsAccessLevel === 'disabled') return 'nobody'
  if (!publicJobs) return 'reporters'
  return buildsAccessLevel === 'private' ? 'members' : 'everyone'
}
