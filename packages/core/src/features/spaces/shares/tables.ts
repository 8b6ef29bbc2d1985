import type { Generated } from 'kysely'

export interface ShareTables {
  /** A project or a group shared with another group; its members get at most `accessLevel`. */
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
