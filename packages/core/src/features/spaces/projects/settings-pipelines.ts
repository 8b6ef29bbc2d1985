import * as v from 'valibot'
import { Count, SettingText } from './settings-types.ts'

/** How pipelines and jobs of a project run. */
export const pipelineSettings = {
  /** Whether runners of the instance take jobs of the project. */
  sharedRunnersEnabled: v.boolean(),
  /** Whether runners of the groups above take jobs of the project. */
  groupRunnersEnabled: v.boolean(),
  /** Seconds after which tokens of new runners of the project expire; null for never. */
  runnerTokenExpirationInterval: v.nullable(Count),
  /** Whether all who can use pipelines by `buildsAccessLevel` see them; false limits them to reporters and above. */
  publicJobs: v.boolean(),
  /** How runners get the code: `fetch` into an existing working copy, or `clone`. */
  buildGitStrategy: v.picklist(['fetch', 'clone']),
  /** Number of commits that runners fetch; 0 or null for all. */
  ciDefaultGitDepth: v.nullable(Count),
  /** Maximum duration of a pipeline job in seconds, which runners enforce. */
  buildTimeout: Count,
  /** Maximum size of the artifacts of a job, in MB; null for that of the group or the instance. */
  maxArtifactsSize: v.nullable(Count),
  /** Whether the artifacts of the newest successful pipeline of each branch and tag are kept. Stored only: all expire. */
  keepLatestArtifact: v.boolean(),
  /** Whether protected branches have caches of their own. Stored only: the platform has no caches. */
  ciSeparatedCaches: v.boolean(),
  /** Whether a push that creates a pipeline cancels older ones of its branch that have not ended. */
  autoCancelPendingPipelines: v.picklist(['enabled', 'disabled']),
  /** The lowest role that cancels pipelines and jobs. */
  ciRestrictPipelineCancellationRole: v.picklist(['developer', 'maintainer', 'no_one']),
  /** Seconds after which pipelines are removed; null for never. */
  ciDeletePipelinesInSeconds: v.nullable(v.pipe(Count, v.minValue(86_400), v.maxValue(31_536_000))),
  /** Whether deployment jobs fail, and cannot be started, after a newer one has deployed another commit to their environment. */
  ciForwardDeploymentEnabled: v.boolean(),
  /** Whether older deployment jobs that have ended can be retried to roll back, despite `ciForwardDeploymentEnabled`. */
  ciForwardDeploymentRollbackAllowed: v.boolean(),
  /** Whether pipelines of merge requests from forks can run in this project. Stored only: they run in the fork. */
  ciAllowForkPipelinesToRunInParentProject: v.boolean(),
  /** Parts of the subject in the identity tokens of jobs. Stored only: jobs have no identity tokens. */
  ciIdTokenSubClaimComponents: v.pipe(
    v.array(v.picklist(['project_path', 'ref_type', 'ref', 'environment_protected', 'deployment_tier'])),
    v.maxLength(5),
  ),
  /** In which order jobs of a new resource group run. Stored only: the platform has no resource groups. */
  resourceGroupDefaultProcessMode: v.picklist(['unordered', 'oldest_first', 'newest_first', 'newest_ready_first']),
  /** Whether users who start a pipeline can approve its deployments. */
  allowPipelineTriggerApproveDeployment: v.boolean(),
  /** Whether only job tokens of the project's own jobs and of its allowlists are permitted. See `jobTokenScopes`. */
  ciInboundJobTokenScopeEnabled: v.boolean(),
  /** Whether jobs of the project can push to its repository with their tokens. */
  ciPushRepositoryForJobTokenAllowed: v.boolean(),
  /** Whether only the roles of `ciPipelineVariablesMinimumOverrideRole` set variables of new pipelines. */
  restrictUserDefinedVariables: v.boolean(),
  /** The lowest role that sets variables of new pipelines while `restrictUserDefinedVariables` is true. */
  ciPipelineVariablesMinimumOverrideRole: v.picklist(['no_one_allowed', 'developer', 'maintainer', 'owner']),
  /** Regular expression that finds the test coverage in job logs; null for none. Stored only: the platform reads no logs. */
  buildCoverageRegex: SettingText,
  /**
   * Path of the pipeline file; null for the default one. Default of new projects: the setting `defaultCiConfigPath`.
   */
  ciConfigPath: SettingText,
  /** Whether pipelines are generated automatically. Stored only: the platform generates none. */
  autoDevopsEnabled: v.boolean(),
  /** How generated pipelines deploy: `continuous`, `manual`, or `timed_incremental` in timed steps. Stored only. */
  autoDevopsDeployStrategy: v.picklist(['continuous', 'manual', 'timed_incremental']),
}

const PipelineSettingsSchema = v.object(pipelineSettings)

export const pipelineDefaults: v.InferOutput<typeof PipelineSettingsSchema> = {
  sharedRunnersEnabled: true,
  groupRunnersEnabled: true,
  runnerTokenExpirationInterval: null,
  publicJobs: true,
  buildGitStrategy: 'fetch',
  ciDefaultGitDepth: 50,
  buildTimeout: 3_600,
  maxArtifactsSize: null,
  keepLatestArtifact: true,
  ciSeparatedCaches: true,
  autoCancelPendingPipelines: 'enabled',
  ciRestrictPipelineCancellationRole: 'developer',
  ciDeletePipelinesInSeconds: null,
  ciForwardDeploymentEnabled: true,
  ciForwardDeploymentRollbackAllowed: true,
  ciAllowForkPipelinesToRunInParentProject: true,
  ciIdTokenSubClaimComponents: ['project_path', 'ref_type', 'ref'],
  resourceGroupDefaultProcessMode: 'unordered',
  allowPipelineTriggerApproveDeployment: false,
  ciInboundJobTokenScopeEnabled: true,
  ciPushRepositoryForJobTokenAllowed: false,
  restrictUserDefinedVariables: false,
  ciPipelineVariablesMinimumOverrideRole: 'maintainer',
  buildCoverageRegex: null,
  ciConfigPath: null,
  autoDevopsEnabled: false,
  autoDevopsDeployStrategy: 'continuous',
}
