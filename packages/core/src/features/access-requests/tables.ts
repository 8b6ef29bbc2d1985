import type { Generated } from 'kysely'

export interface AccessRequestTables {
  /** Somebody's wish to become a member of exactly one of a project and a group. Gives no access. */
  accessRequest: {
    id: Generated<number>
    projectId: number | null
    groupId: number | null
    userId: number
    createdAt: string
  }
}
