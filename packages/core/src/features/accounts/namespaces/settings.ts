import * as v from 'valibot'
import { isNewReferenceName } from '../../../ports/git-binary/reference-name.ts'

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** Settings of a group: specification 2, "Group". */
const settingSchemas = {
  /** Whether members have to use two-factor authentication. Stored only: the host signs in users. Default: false. */
  requireTwoFactorAuthentication: v.boolean(),
  /** Hours for which members can still work without two-factor authentication. Stored only. Default: 48. */
  twoFactorGracePeriod: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  /** Whether projects use Auto DevOps; null (default): not set. Stored only: the platform generates no pipelines. */
  autoDevopsEnabled: v.nullable(v.boolean()),
  /**
   * Whether notification e-mails of the group, its subgroups and its projects are turned off; null (default): not set. If
   * true, `notificationSettings.listRecipients` lists no one. The host application sends the mail.
   */
  emailsDisabled: v.nullable(v.boolean()),
  /**
   * Whether mentions of the group notify no one; null (default): not set. Otherwise `notificationSettings.listRecipients`
   * replaces a mentioned group with its direct members.
   */
  mentionsDisabled: v.nullable(v.boolean()),
  /** Whether projects can use Git LFS. Stored only: the platform has no Git LFS. Default: true. */
  lfsEnabled: v.boolean(),
  /**
   * Rule of the default branch that the first push to a project creates: 0 none, 1 developers push and merge without forced
   * pushes, 2 maintainers push and merge, 3 maintainers push and developers merge, 4 as 2, but developers can make the first
   * push. Default: the setting of the instance.
   */
  defaultBranchProtection: v.picklist([0, 1, 2, 3, 4]),
  /** Id of the project with file templates for the group; null (default) for none. Stored only: templates come from the port. */
  fileTemplateProjectId: v.nullable(v.pipe(v.number(), v.safeInteger())),
  /** Name of the default branch of new projects in the group and its subgroups; null (default) for `main`. */
  defaultBranch: v.nullable(
    v.pipe(v.string(), v.nonEmpty(), v.maxLength(255), v.check(isNewReferenceName, 'is invalid')),
  ),
  /** Whether no users can be added to the projects of the group and its subgroups; members of groups stay. Default: false. */
  membershipLock: v.boolean(),
  /** Whether the projects of a top-level group cannot be forked into namespaces outside it. Default: false. */
  preventForkingOutsideGroup: v.boolean(),
  /** Whether a top-level group and its subgroups cannot be shared with groups outside it. Default: false. */
  preventSharingGroupsOutsideHierarchy: v.boolean(),
  /** Whether shared runners can be used, and projects can change that. Stored only: the platform runs no pipelines. Default: enabled. */
  sharedRunnersSetting: v.picklist([
    'enabled',
    'disabled_and_overridable',
    'disabled_and_unoverridable',
    'disabled_with_override',
  ]),
  /** Maximum size of the artifacts of a job, in MB; null (default) for that of the instance. Stored only. */
  maxArtifactsSize: v.nullable(Count),
  /** Whether e-mails show a preview of diffs. Stored only: the host application sends the mail. Default: true. */
  showDiffPreviewInEmail: v.boolean(),
  /** Whether formulas are limited in size. Stored only: clients render formulas. Default: true. */
  mathRenderingLimitsEnabled: v.boolean(),
  /** Whether subgroups cannot change `mathRenderingLimitsEnabled`. Stored only. Default: false. */
  lockMathRenderingLimitsEnabled: v.boolean(),
  /** Whether features of an assistant are available. Stored only: the platform has none. Default: false. */
  duoFeaturesEnabled: v.boolean(),
  /** Whether subgroups cannot change `duoFeaturesEnabled`. Stored only. Default: false. */
  lockDuoFeaturesEnabled: v.boolean(),
  /** Whether basic features of an assistant are available. Stored only: the platform has none. Default: false. */
  duoCoreFeaturesEnabled: v.boolean(),
  /** Whether an assistant reviews new merge requests. Stored only: the platform has none. Default: false. */
  autoDuoCodeReviewEnabled: v.boolean(),
  /** Whether commits that are written through the API are signed. Stored only: they are not. Default: false. */
  webBasedCommitSigningEnabled: v.boolean(),
}

const GroupSettingsSchema = v.strictObject(settingSchemas)

export type GroupSettings = v.InferOutput<typeof GroupSettingsSchema>

/** Settings to change; omitted ones stay unchanged. */
export const GroupSettingsInput = v.partial(GroupSettingsSchema)
export type PartialGroupSettings = v.InferOutput<typeof GroupSettingsInput>

const defaults: GroupSettings = {
  requireTwoFactorAuthentication: false,
  twoFactorGracePeriod: 48,
  autoDevopsEnabled: null,
  emailsDisabled: null,
  mentionsDisabled: null,
  lfsEnabled: true,
  defaultBranchProtection: 2,
  fileTemplateProjectId: null,
  defaultBranch: null,
  membershipLock: false,
  preventForkingOutsideGroup: false,
  preventSharingGroupsOutsideHierarchy: false,
  sharedRunnersSetting: 'enabled',
  maxArtifactsSize: null,
  showDiffPreviewInEmail: true,
  mathRenderingLimitsEnabled: true,
  lockMathRenderingLimitsEnabled: false,
  duoFeaturesEnabled: false,
  lockDuoFeaturesEnabled: false,
  duoCoreFeaturesEnabled: false,
  autoDuoCodeReviewEnabled: false,
  webBasedCommitSigningEnabled: false,
}

/** The stored settings take precedence over those of the instance, and these over the defaults. */
export const resolveGroupSettings = (
  stored: PartialGroupSettings | null,
  instance: PartialGroupSettings,
): GroupSettings => ({ ...defaults, ...instance, ...stored }) as GroupSettings
