import type { Generated } from 'kysely'

export interface AvatarTables {
  /** The uploaded picture of exactly one user, project or group. */
  avatar: {
    id: Generated<number>
    userId: number | null
    projectId: number | null
    groupId: number | null
    fileName: string
    mediaType: string
    /** At most 200 KiB: small enough to be written in the transaction of the change. */
    content: Buffer
  }
}
