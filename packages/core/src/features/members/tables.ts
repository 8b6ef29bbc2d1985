import type { Generated } from 'kysely'

export interface MemberTables {
  /** A direct membership of exactly one of a project and a group. */
  member: {
    id: Generated<number>
    projectId: number | null
    groupId: number | null
    userId: number
    accessLevel: number
    /** The first day without access, or null. */
    expiresAt: string | null
    createdAt: string
    /** When it was last changed; null for never. */
    updatedAt: Generated<string | null>
    /** The level that the directory gives; null for a membership that no directory keeps. Of groups only. */
    syncedLevel: Generated<number | null>
    /** Since when the level may differ from the directory's, or null. */
    overriddenAt: Generated<string | null>
  }
}
