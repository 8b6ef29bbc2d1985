import * as v from 'valibot'
import { featureLevels } from '../../access/levels.ts'

const Text = v.nullable(v.pipe(v.string(), v.maxLength(10_000)))
const FeatureLevel = v.picklist(featureLevels)
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** When tags of the container registry are cleaned up by themselves. */
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

/** Switches and texts of a project that nothing else depends on: specification 2, "Project record". */
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
  /** The file of the default branch that is shown with the project: `README.md`. */
  readmePath: Text,
}

const ProjectSettingsSchema = v.strictObject(schemas)

export type ProjectSettings = v.InferOutput<typeof ProjectSettingsSchema>

/** Those that are to change; the others stay as they are. */
export const ProjectSettingsInput = v.partial(ProjectSettingsSchema)
export type GivenProjectSettings = v.InferOutput<typeof ProjectSettingsInput>

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

/** What was set, and defaults for the rest. */
export const projectSettings = (stored: GivenProjectSettings | null): ProjectSettings =>
  ({ ...defaults, ...stored }) as ProjectSettings
