import * as v from 'valibot'
import { featureDefaults, featureSettings } from './settings-features.ts'
import { mergingDefaults, mergingSettings } from './settings-merging.ts'
import { pipelineDefaults, pipelineSettings } from './settings-pipelines.ts'
import { Count, SettingTemplate, SettingText } from './settings-types.ts'

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
  nameRegex: SettingText,
  /** RE2 expression of names to keep, with precedence over `nameRegex`; null for none. */
  nameRegexKeep: SettingText,
  /** Time of the next run, in ISO 8601, UTC; null before the first. Each run sets it. */
  nextRunAt: v.nullable(v.string()),
})

/** The license that the default branch contains as a file. */
const License = v.strictObject({
  /** Path of the file, such as `LICENSE`. */
  path: v.string(),
  /** Key of the template with this text, such as `mit`; `other` for another text. */
  key: v.string(),
  /** Display name, such as `MIT License`. */
  name: v.string(),
  /** A common shorter name; null without one. */
  nickname: v.nullable(v.string()),
  /** URL of a page about it; null without one. */
  htmlUrl: v.nullable(v.string()),
  /** URL of its original text; null without one. */
  sourceUrl: v.nullable(v.string()),
})

/** The license of a project. */
export interface ProjectLicense extends v.InferOutput<typeof License> {}

/** Settings without a column of their own, stored together as JSON: specification 2, "Project record". */
const generalSettings = {
  /** Topics of the project: at most 100, each at most 255 characters. */
  tagList: v.pipe(v.array(v.pipe(v.string(), v.maxLength(255))), v.maxLength(100)),
  /** Scheduled removal of container registry tags; omitted fields keep their values. */
  containerExpirationPolicy: v.partial(ExpirationPolicy),
  /**
   * Whether notification e-mails of the project are turned off; null (default): not set. If it is true here or for a group
   * above, no user is notified.
   */
  emailsDisabled: v.nullable(v.boolean()),
  /** Whether e-mails show a preview of diffs. Stored only: e-mails contain no diffs. */
  showDiffPreviewInEmail: v.boolean(),
  /** Whether the project accepts Git LFS objects. Stored only: the platform has no Git LFS. */
  lfsEnabled: v.boolean(),
  /** State of an import from another service; `none` without one. Set by the host application. */
  importStatus: v.picklist(['none', 'scheduled', 'started', 'finished', 'failed']),
  /** Kind of the import, such as `gitlab_project` for an archive; null without one. Set by the host application. */
  importType: SettingText,
  /** Address of the imported repository with masked credentials; null without one. Set by the host application. */
  importSource: SettingText,
  /** Why the import failed; null unless it did. Set by the host application. */
  importError: SettingText,
  /** Text that clients propose for the description of new issues; null for none. Stored only. */
  issuesTemplate: SettingText,
  /** Template for the names of branches that clients create for issues, with `%{id}` and `%{title}`; null for none. Stored only. */
  issueBranchTemplate: SettingTemplate,
  /** Whether clients show the most common reactions on issues and merge requests without one. Stored only. */
  showDefaultAwardEmojis: v.boolean(),
  /** Whether clients warn about characters that look like others or are invisible. Stored only. */
  warnAboutPotentiallyUnwantedCharacters: v.boolean(),
  /** Whether uploaded files can be read only with access to the project. Stored only: access is always required. */
  enforceAuthChecksOnUploads: v.boolean(),
  /** What the external authorization service is asked about the project, if one is enabled. Default: the setting of the instance. */
  externalAuthorizationClassificationLabel: v.pipe(v.string(), v.maxLength(255)),
  /** Name of the storage of the repository. Default of new projects: one of the setting `repositoryStorages`. */
  repositoryStorage: v.string(),
  /** Path of the readme in the default branch, such as `README.md`; null without one. Updated after each push. */
  readmePath: SettingText,
  /** License of the default branch; null without such a file. Updated after each push. */
  license: v.nullable(License),
}

const ProjectSettingsSchema = v.strictObject({
  ...generalSettings,
  ...featureSettings,
  ...pipelineSettings,
  ...mergingSettings,
})

export interface ProjectSettings extends v.InferOutput<typeof ProjectSettingsSchema> {
  containerExpirationPolicy: v.InferOutput<typeof ExpirationPolicy>
  license: ProjectLicense | null
}

export const ProjectSettingsInput = v.partial(ProjectSettingsSchema)
export type PartialProjectSettings = v.InferOutput<typeof ProjectSettingsInput>

const defaults: ProjectSettings = {
  ...featureDefaults,
  ...pipelineDefaults,
  ...mergingDefaults,
  tagList: [],
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
  showDiffPreviewInEmail: true,
  lfsEnabled: true,
  importStatus: 'none',
  importType: null,
  importError: null,
  importSource: null,
  issuesTemplate: null,
  issueBranchTemplate: null,
  showDefaultAwardEmojis: true,
  warnAboutPotentiallyUnwantedCharacters: true,
  enforceAuthChecksOnUploads: true,
  externalAuthorizationClassificationLabel: '',
  repositoryStorage: 'default',
  readmePath: null,
  license: null,
}

/** Stored settings after changes, which can contain a part of the expiration policy. */
export const withChangedSettings = (
  stored: PartialProjectSettings | null,
  changes: PartialProjectSettings,
): PartialProjectSettings => ({
  ...stored,
  ...changes,
  ...(changes.containerExpirationPolicy && {
    containerExpirationPolicy: { ...stored?.containerExpirationPolicy, ...changes.containerExpirationPolicy },
  }),
})

/** The stored settings, completed with defaults. */
export const withDefaultSettings = (stored: PartialProjectSettings | null): ProjectSettings => {
  const containerExpirationPolicy = { ...defaults.containerExpirationPolicy, ...stored?.containerExpirationPolicy }
  return { ...defaults, ...stored, containerExpirationPolicy } as ProjectSettings
}
