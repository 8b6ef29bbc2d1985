import type { Generated } from 'kysely'

export interface ShareTables {
  /** A project or a group opened to the members of another group, at most at `accessLevel`. */
  share: {
    id: Generated<number>
    projectId: number | null
    groupId: number | null
    withGroupId: number
    accessLevel: number
    expiresAt: string | null
    createdAt: string
  }
}
