import type { Generated } from 'kysely'

export interface AccessRequestTables {
  /** A user's request for membership in exactly one of a project and a group. Grants no access. */
  accessRequest: {
    id: Generated<number>
    projectId: number | null
    groupId: number | null
    userId: number
    createdAt: string
  }
}
