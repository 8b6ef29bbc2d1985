import * as v from 'valibot'
import { featureLevels } from '../../../access/levels.ts'
import { isNewReferenceName } from '../../../ports/git-binary/reference-name.ts'
import { type BranchProtection, BranchProtectionInput, resolveProtection } from './branch-protection.ts'

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
   * true, no user is notified.
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
  /**
   * The same rule in detail. What it does not set follows `defaultBranchProtection`; a new value of that resets it. Default: by
   * `defaultBranchProtection`.
   */
  defaultBranchProtectionDefaults: BranchProtectionInput,
  /**
   * Id of a project in the group with file templates for the projects of the group and its subgroups, in the folders of the setting
   * `fileTemplateProjectId` of the instance; null (default) for none. A project outside the group has no effect.
   */
  fileTemplateProjectId: v.nullable(v.pipe(v.number(), v.safeInteger())),
  /** Name of the default branch of new projects in the group and its subgroups; null (default) for that of the instance. */
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
  /** Maximum size of the artifacts of a job, in MB; null (default) for that of the group above or the instance. */
  maxArtifactsSize: v.nullable(Count),
  /** Whether e-mails show a preview of diffs. Stored only: e-mails contain no diffs. Default: true. */
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
  /** When the assistant is available to subgroups and projects. Stored only: the platform has none. Default: `default_off`. */
  duoAvailability: v.picklist(['default_on', 'default_off', 'never_on']),
  /** Whether experiments can be used. Stored only: the platform has none. Default: false. */
  experimentFeaturesEnabled: v.boolean(),
  /**
   * Who can use the wiki of the group: `enabled` everyone who sees the group, `private` its members, `disabled` no one. Default:
   * `enabled`.
   */
  wikiAccessLevel: v.picklist(featureLevels),
  /**
   * Protocols of git: with `ssh`, the projects of the group and its subgroups refuse git over HTTP; `http` and `all` change nothing,
   * because the platform has no SSH server. Default: `all`.
   */
  enabledGitAccessProtocol: v.picklist(['ssh', 'http', 'all']),
  /**
   * Domains of e-mail addresses, separated by commas: only users with a confirmed address in one of them can become members of a
   * top-level group, its subgroups and its projects. Empty (default): all users.
   */
  allowedEmailDomainsList: v.pipe(v.string(), v.maxLength(10_000)),
  /**
   * Minutes per month in which shared runners run jobs; null (default) for the value of the instance, 0 for any number. Only
   * administrators can set it. Stored only: the platform runs no jobs.
   */
  sharedRunnersMinutesLimit: v.nullable(Count),
  /** Minutes in addition to `sharedRunnersMinutesLimit`; null (default) for none. Only administrators can set it. Stored only. */
  extraSharedRunnersMinutesLimit: v.nullable(Count),
}

/** Settings that only administrators and the host can change. */
export const administratorSettings = ['sharedRunnersMinutesLimit', 'extraSharedRunnersMinutesLimit'] as const

const GroupSettingsSchema = v.strictObject(settingSchemas)

export interface GroupSettings
  extends Omit<v.InferOutput<typeof GroupSettingsSchema>, 'defaultBranchProtectionDefaults'> {
  /** The rule of the default branch that the first push to a project creates. */
  defaultBranchProtectionDefaults: BranchProtection
}

/** Settings to change; omitted ones stay unchanged. */
export const GroupSettingsInput = v.partial(GroupSettingsSchema)
export type PartialGroupSettings = v.InferOutput<typeof GroupSettingsInput>

/** What is stored of a group: the settings that were set, and the storage of the group. */
export interface StoredGroupSettings extends PartialGroupSettings {
  /** Name of the storage that the instance selected for the group; `default` if omitted. */
  readonly repositoryStorage?: string
}

const defaults: Omit<GroupSettings, 'defaultBranchProtectionDefaults'> = {
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
  duoAvailability: 'default_off',
  experimentFeaturesEnabled: false,
  wikiAccessLevel: 'enabled',
  enabledGitAccessProtocol: 'all',
  allowedEmailDomainsList: '',
  sharedRunnersMinutesLimit: null,
  extraSharedRunnersMinutesLimit: null,
}

/** The stored settings take precedence over those of the instance, and these over the defaults. */
export const resolveGroupSettings = (
  stored: StoredGroupSettings | null,
  instance: Pick<PartialGroupSettings, 'defaultBranchProtection'>,
): GroupSettings => {
  const { defaultBranchProtectionDefaults: protection, repositoryStorage: _, ...settings } = stored ?? {}
  const resolved = { ...defaults, ...instance, ...settings } as typeof defaults
  return {
    ...resolved,
    defaultBranchProtectionDefaults: resolveProtection(resolved.defaultBranchProtection, protection),
  }
}

/** Adds changes to stored settings. A new `defaultBranchProtection` resets the details of the rule. */
export const mergeGroupSettings = (stored: StoredGroupSettings, changes: PartialGroupSettings): StoredGroupSettings => {
  const details = {
    ...(changes.defaultBranchProtection === undefined && stored.defaultBranchProtectionDefaults),
    ...changes.defaultBranchProtectionDefaults,
  }
  const { defaultBranchProtectionDefaults: _, ...others } = { ...stored, ...changes }
  return Object.keys(details).length > 0 ? { ...stored, ...changes, defaultBranchProtectionDefaults: details } : others
}
