export type ReferenceKind = 'branch' | 'tag'

/** What a grant permits. `create` is for tags, the others are for branches. */
export type GrantAction = 'push' | 'merge' | 'unprotect' | 'create'

/** 0 no one, 30 developers and above, 40 maintainers and above, 60 administrators only. */
export const referenceLevels = [0, 30, 40, 60] as const
export type ReferenceLevel = (typeof referenceLevels)[number]

export const referenceLevelNames: Readonly<Record<ReferenceLevel, string>> = {
  0: 'No one',
  30: 'Developers + Maintainers',
  40: 'Maintainers',
  60: 'Administrator',
}

/** Who may do something with a protected branch or tag. */
export interface ReferenceGrant {
  /** Unique among grants. */
  id: number
  /** 0 no one, 30 developers and above, 40 maintainers and above, 60 administrators only; null for a user or group, 40 for a deploy key. */
  accessLevel: ReferenceLevel | null
  /** Name of the level, user or group, or title of the deploy key; `Group` for a group that the current user cannot see. */
  accessLevelDescription: string
  /** Id of the user; null for other grants. */
  userId: number | null
  /** Id of the group; its developers and above are meant; null for other grants. */
  groupId: number | null
  /** Id of the deploy key; null for other grants. */
  deployKeyId: number | null
}

/** The protection of one branch, or of all that match a pattern. */
export interface ProtectedBranch {
  /** Unique among protected branches and tags. */
  id: number
  /** Name of the branch, or a pattern in which `*` matches any text: `release/*`. */
  name: string
  /** Who may push. One of the grants is sufficient. */
  pushAccessLevels: readonly ReferenceGrant[]
  /** Who may merge; users who may push also may. One of the grants is sufficient. */
  mergeAccessLevels: readonly ReferenceGrant[]
  /** Who may end the protection; empty for maintainers and above. */
  unprotectAccessLevels: readonly ReferenceGrant[]
  /** Whether users who may push may also replace commits. */
  allowForcePush: boolean
  /** Stored only: code owners are not supported. */
  codeOwnerApprovalRequired: boolean
  /** Whether the rule is one of a group above the project, which only the group can change. */
  inherited: boolean
}

/** The protection of one tag, or of all that match a pattern. */
export interface ProtectedTag {
  /** Name of the tag, or a pattern in which `*` matches any text: `v*`. */
  name: string
  /** Who may create the tag. One of the grants is sufficient. */
  createAccessLevels: readonly ReferenceGrant[]
}
