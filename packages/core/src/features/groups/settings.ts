import * as v from 'valibot'

/** Settings of a group that are only stored and returned: specification 2, "Group". */
const settingSchemas = {
  requireTwoFactorAuthentication: v.boolean(),
  /** Hours. */
  twoFactorGracePeriod: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  /** Null: inherited from the parent group or the instance. */
  autoDevopsEnabled: v.nullable(v.boolean()),
  emailsDisabled: v.nullable(v.boolean()),
  mentionsDisabled: v.nullable(v.boolean()),
  lfsEnabled: v.boolean(),
  /** 0: none, 1: partial, 2: full, 3: full, but developers may merge. */
  defaultBranchProtection: v.picklist([0, 1, 2, 3]),
  fileTemplateProjectId: v.nullable(v.pipe(v.number(), v.safeInteger())),
}

const GroupSettingsSchema = v.strictObject(settingSchemas)

export type GroupSettings = v.InferOutput<typeof GroupSettingsSchema>

/** Settings to change; absent ones stay unchanged. */
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
