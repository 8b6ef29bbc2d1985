import type { Generated } from 'kysely'

export interface InvitationTables {
  /** An e-mail address that is invited to exactly one of a project and a group. Grants no access until a user has the address. */
  invitation: {
    id: Generated<number>
    projectId: number | null
    groupId: number | null
    /** In its original case; unique in the project or group regardless of case. */
    email: string
    accessLevel: number
    /** The first day without access, or null. */
    expiresAt: string | null
    /** The user who invited the address; null for the host. */
    createdById: number | null
    createdAt: string
  }
}
