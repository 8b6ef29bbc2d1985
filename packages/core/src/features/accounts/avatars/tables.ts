import type { Generated } from 'kysely'

export interface AvatarTables {
  /** The uploaded picture of exactly one user, project, group or topic. */
  avatar: {
    id: Generated<number>
    userId: number | null
    projectId: number | null
    groupId: number | null
    topicId: number | null
    fileName: string
    mediaType: string
    /** At most 200 KiB: small enough to be written in the transaction of the change. */
    content: Buffer
  }
}
