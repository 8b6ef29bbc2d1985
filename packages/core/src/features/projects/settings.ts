import * as v from 'valibot'
import { featureLevels } from '../../access/levels.ts'

const Text = v.nullable(v.pipe(v.string(), v.maxLength(10_000)))
const FeatureLevel = v.picklist(featureLevels)
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** Scheduled clean-up of container registry tags. */
const ExpirationPolicy = v.strictObject({
  /** `1d`, `7d`, `14d`, `1month`, `3month`. */
  cadence: v.string(),
  enabled: v.boolean(),
  keepN: v.nullable(Count),
  olderThan: v.nullable(v.string()),
  nameRegex: Text,
  nameRegexKeep: Text,
  nextRunAt: v.nullable(v.string()),
})

/** Settings without a column of their own, stored together as JSON: specification 2, "Project record". */
const schemas = {
  tagList: v.pipe(v.array(v.pipe(v.string(), v.maxLength(255))), v.maxLength(100)),
  wikiAccessLevel: FeatureLevel,
  buildsAccessLevel: FeatureLevel,
  forkingAccessLevel: FeatureLevel,
  pagesAccessLevel: v.picklist([...featureLevels, 'public']),
  sharedRunnersEnabled: v.boolean(),
  publicJobs: v.boolean(),
  resolveOutdatedDiffDiscussions: v.boolean(),
  containerRegistryEnabled: v.boolean(),
  containerExpirationPolicy: ExpirationPolicy,
  emailsDisabled: v.nullable(v.boolean()),
  lfsEnabled: v.boolean(),
  importStatus: v.picklist(['none', 'scheduled', 'started', 'finished', 'failed']),
  ciDefaultGitDepth: v.nullable(Count),
  /** Seconds. */
  buildTimeout: Count,
  autoCancelPendingPipelines: v.picklist(['enabled', 'disabled']),
  buildCoverageRegex: Text,
  ciConfigPath: Text,
  onlyAllowMergeIfPipelineSucceeds: v.boolean(),
  onlyAllowMergeIfAllDiscussionsAreResolved: v.boolean(),
  removeSourceBranchAfterMerge: v.nullable(v.boolean()),
  printingMergeRequestLinkEnabled: v.boolean(),
  mergeMethod: v.picklist(['merge', 'rebase_merge', 'ff']),
  suggestionCommitMessage: Text,
  autoDevopsEnabled: v.boolean(),
  autoDevopsDeployStrategy: v.picklist(['continuous', 'manual', 'timed_incremental']),
  autocloseReferencedIssues: v.boolean(),
  repositoryStorage: v.string(),
  /** The readme file of the default branch: `README.md`. */
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
  buildCoverageRegex: null,
  ciConfigPath: null,
  onlyAllowMergeIfPipelineSucceeds: false,
  onlyAllowMergeIfAllDiscussionsAreResolved: false,
  removeSourceBranchAfterMerge: null,
  printingMergeRequestLinkEnabled: true,
  mergeMethod: 'merge',
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
