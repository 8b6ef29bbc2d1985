import type { Generated } from 'kysely'
import type { GrantAction, ReferenceKind, ReferenceLevel } from './protected-reference.ts'

export interface ProtectedReferenceTables {
  /**
   * The protection of the branches or tags of a project, or of the branches of all projects of a group, with a name, or with the names
   * that a pattern matches.
   */
  protectedReference: {
    id: Generated<number>
    projectId: number | null
    groupId: number | null
    kind: ReferenceKind
    /** A name, or a pattern in which `*` matches any text. */
    name: string
    /** Branches only. */
    allowForcePush: boolean
    /** Branches only. */
    codeOwnerApprovalRequired: boolean
    createdAt: string
  }
  /** Who may do something with a protected branch or tag: exactly one of an access level, a user, a group and a deploy key. */
  protectedReferenceGrant: {
    id: Generated<number>
    protectedReferenceId: number
    action: GrantAction
    accessLevel: ReferenceLevel | null
    userId: number | null
    groupId: number | null
    deployKeyId: number | null
  }
}
