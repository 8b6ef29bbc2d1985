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
  }
}
