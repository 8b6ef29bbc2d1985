import * as v from 'valibot'

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
}

/** The stored settings take precedence over those of the instance, and these over the defaults. */
export const resolveGroupSettings = (
  stored: PartialGroupSettings | null,
  instance: PartialGroupSettings,
): GroupSettings => ({ ...defaults, ...instance, ...stored }) as GroupSettings
