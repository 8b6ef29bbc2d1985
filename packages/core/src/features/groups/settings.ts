import * as v from 'valibot'

/** Switches and numbers of a group that nothing else depends on: specification 2, "Group". */
const schemas = {
  requireTwoFactorAuthentication: v.boolean(),
  /** Hours. */
  twoFactorGracePeriod: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  /** Null: as the group above, or else the platform, has it. */
  autoDevopsEnabled: v.nullable(v.boolean()),
  emailsDisabled: v.nullable(v.boolean()),
  mentionsDisabled: v.nullable(v.boolean()),
  lfsEnabled: v.boolean(),
  /** 0 none, 1 partial, 2 full, 3 developers may merge. */
  defaultBranchProtection: v.picklist([0, 1, 2, 3]),
  fileTemplateProjectId: v.nullable(v.pipe(v.number(), v.safeInteger())),
}

const GroupSettingsSchema = v.strictObject(schemas)

export type GroupSettings = v.InferOutput<typeof GroupSettingsSchema>

/** Those that are to change; the others stay as they are. */
export const GroupSettingsInput = v.partial(GroupSettingsSchema)
export type GivenGroupSettings = v.InferOutput<typeof GroupSettingsInput>

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

/** What was set; for the rest what the platform has, or else the usual. */
export const groupSettings = (stored: GivenGroupSettings | null, platform: GivenGroupSettings): GroupSettings =>
  ({ ...defaults, ...platform, ...stored }) as GroupSettings
