import * as v from 'valibot'
import { featureLevels, visibilities } from '../../../access/levels.ts'
import { invalid } from '../../../kernel/errors.ts'
import { ProjectDescription } from '../../../kernel/text-limits.ts'
import { isNewReferenceName } from '../../../ports/git-binary/reference-name.ts'
import { AvatarInput } from '../../accounts/avatars/avatar.ts'
import { ProjectSettingsInput } from './settings.ts'

const FeatureLevel = v.optional(v.picklist(featureLevels))

export const nameInput = {
  /** Name for display, 1 to 255 characters. Default of a new project: the path. */
  name: v.optional(v.string()),
  /**
   * Last segment of the URL: letters, digits, `_`, `-` and `.`, not starting with `-` or `.`. Requests for an old one
   * are redirected until another project or group has it. Default of a new project: derived from the name.
   */
  path: v.optional(v.string()),
}

/** The input of all changes of a project, in addition to its name. */
export const detailsInput = {
  /** Text in Markdown, at most 2,000 characters; null for none. */
  description: v.optional(v.nullable(ProjectDescription)),
  /**
   * `private`, `internal` or `public`; not more visible than the namespace. Default of a new project: the setting
   * `defaultProjectVisibility`, limited by the namespace.
   */
  visibility: v.optional(v.picklist(visibilities)),
  /** Name of the default branch, 1 to 255 characters. Default of a new project: that of its group. */
  defaultBranch: v.optional(
    v.pipe(v.string(), v.nonEmpty(), v.maxLength(255), v.check(isNewReferenceName, 'is invalid')),
  ),
  /** Whether users can request access. Default of a new project: true. */
  requestAccessEnabled: v.optional(v.boolean()),
  /**
   * Who can use issues: `enabled` everyone who sees the project (the default of a new project), `private` members,
   * `disabled` no one.
   */
  issuesAccessLevel: FeatureLevel,
  /**
   * Who can use merge requests: `enabled` everyone who can read the code (the default of a new project), `private`
   * members who can, `disabled` no one.
   */
  mergeRequestsAccessLevel: FeatureLevel,
  /**
   * Who can read the code: `enabled` everyone who sees the project (the default of a new project), `private` reporters
   * and above, `disabled` no one. In a private project, `enabled` also means reporters and above.
   */
  repositoryAccessLevel: FeatureLevel,
  /**
   * Who can use snippets: `enabled` everyone who sees the project (the default of a new project), `private` members,
   * `disabled` no one.
   */
  snippetsAccessLevel: FeatureLevel,
  /** URL of the project's picture; null for none. */
  avatarUrl: v.optional(v.nullable(v.string())),
  /** The project's picture as a file, instead of `avatarUrl`; null for none. */
  avatar: AvatarInput,
  /** Whether a dependency scanner has uploaded a report, for the filter `withSecurityReports` of groups. */
  hasSecurityReports: v.optional(v.boolean()),
  /** Settings to change; omitted ones keep their values, or the defaults in a new project. */
  settings: v.optional(ProjectSettingsInput),
}

const {
  settings: _settings,
  defaultBranch: _branch,
  avatarUrl: _url,
  avatar: _avatar,
  hasSecurityReports: _reports,
  ...plainInput
} = detailsInput
const {
  importStatus: _status,
  importType: _type,
  importError: _error,
  importSource: _source,
  readmePath: _readme,
  license: _license,
  ...settingEntries
} = ProjectSettingsInput.entries

/** Fields of a project that an import replaces: those of the project and its settings, without what they follow from. */
export const overrideInput = v.strictObject({ ...plainInput, ...settingEntries })

const PlainOverrides = v.object(plainInput)
const SettingOverrides = v.object(settingEntries)

/** Separates the fields of a project from its settings. */
export const splitOverrides = (overrides: v.InferOutput<typeof overrideInput>) => ({
  fields: v.parse(PlainOverrides, overrides),
  settings: v.parse(SettingOverrides, overrides),
})

const DetailsSchema = v.object(detailsInput)
export type ProjectInput = v.InferOutput<typeof DetailsSchema>

/** The error for a project that would be more visible than its namespace. */
export const createVisibilityError = () => invalid({ visibility: ['is not allowed: the group is less visible'] })
