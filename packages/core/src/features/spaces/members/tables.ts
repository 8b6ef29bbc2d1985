import type { Generated } from 'kysely'

export interface MemberTables {
  /** A direct membership of exactly one of a project and a group. */
  member: {
    id: Generated<number>
    projectId: number | null
    groupId: number | null
    userId: number
    accessLevel: number
    /** The user who added the member; null for the host and for removed users. */
    createdById: Generated<number | null>
    /** The first day without access, or null. */
    expiresAt: string | null
    createdAt: string
    /** Null if never changed. */
    updatedAt: Generated<string | null>
    /** The level in the directory; null if no directory synchronizes the membership. Group memberships only. */
    syncedLevel: Generated<number | null>
    /** When the level was first allowed to differ from the directory's level, or null. */
    overriddenAt: Generated<string | null>
  }
}
