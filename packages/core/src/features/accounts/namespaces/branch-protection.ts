import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'

const Level = v.strictObject({
  /** 0 no one, 30 developers and above, 40 maintainers and above. */
  accessLevel: v.picklist([0, 30, 40]),
})

const Levels = v.pipe(v.array(Level), v.minLength(1), v.maxLength(10))

/** The rule of the first branch of new projects; omitted fields stay unchanged. */
export const BranchProtectionInput = v.strictObject({
  /** Who can push, `[{ accessLevel: 40 }]`: 0 no one, 30 developers and above, 40 maintainers and above. */
  allowedToPush: v.optional(Levels),
  /** Who can merge, like `allowedToPush`. */
  allowedToMerge: v.optional(Levels),
  /** Whether those who can push can also force pushes. */
  allowForcePush: v.optional(v.boolean()),
  /** Whether changes of files with owners need their approval. */
  codeOwnerApprovalRequired: v.optional(v.boolean()),
  /** Whether developers can push to a project without branches. */
  developerCanInitialPush: v.optional(v.boolean()),
})

type PartialBranchProtection = v.InferOutput<typeof BranchProtectionInput>

/** The rule of the first branch of new projects. */
export interface BranchProtection {
  /** Levels of those who can push. */
  allowedToPush: readonly v.InferOutput<typeof Level>[]
  /** Levels of those who can merge. */
  allowedToMerge: readonly v.InferOutput<typeof Level>[]
  /** Whether those who can push can also force pushes. */
  allowForcePush: boolean
  /** Whether changes of files with owners need their approval. */
  codeOwnerApprovalRequired: boolean
  /** Whether developers can push to a project without branches. */
  developerCanInitialPush: boolean
}

type ProtectionLevel = 0 | 1 | 2 | 3 | 4

const createProtection = (push: 30 | 40, merge: 30 | 40, options?: Partial<BranchProtection>): BranchProtection => ({
  allowedToPush: [{ accessLevel: push }],
  allowedToMerge: [{ accessLevel: merge }],
  allowForcePush: false,
  codeOwnerApprovalRequired: false,
  developerCanInitialPush: false,
  ...options,
})

/** The rules by the setting `defaultBranchProtection`. No rule but the first, which protects nothing, permits forced pushes. */
const protections: Readonly<Record<ProtectionLevel, BranchProtection>> = {
  0: createProtection(30, 30, { allowForcePush: true }),
  1: createProtection(30, 30),
  2: createProtection(40, 40),
  3: createProtection(40, 30),
  4: createProtection(40, 40, { developerCanInitialPush: true }),
}

/** The rule of a level, with the changes of a group. */
export const resolveProtection = (level: ProtectionLevel, stored: PartialBranchProtection = {}): BranchProtection => {
  const rule = protections[level]
  return {
    allowedToPush: stored.allowedToPush ?? rule.allowedToPush,
    allowedToMerge: stored.allowedToMerge ?? rule.allowedToMerge,
    allowForcePush: stored.allowForcePush ?? rule.allowForcePush,
    codeOwnerApprovalRequired: stored.codeOwnerApprovalRequired ?? rule.codeOwnerApprovalRequired,
    developerCanInitialPush: stored.developerCanInitialPush ?? rule.developerCanInitialPush,
  }
}

/** Whether a rule permits what a branch without a rule permits. */
export const isUnprotected = (protection: BranchProtection): boolean => isDeepStrictEqual(protection, protections[0])
