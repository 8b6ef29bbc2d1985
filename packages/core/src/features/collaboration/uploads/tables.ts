import type { Generated } from 'kysely'

export interface UploadTables {
  /** A file that texts of a project or a group link to. */
  upload: {
    id: Generated<number>
    projectId: number | null
    /** Exactly one of `projectId` and `groupId` is set. */
    groupId: number | null
    /** 32 random hexadecimal digits in its URL, which grant access. */
    secret: string
    fileName: string
    /** Bytes. */
    size: number
    /** The file in the file storage. */
    storageKey: string
    /** 64 hexadecimal digits. */
    sha256: string
    userId: number | null
    createdAt: string
  }
}
