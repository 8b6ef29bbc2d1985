import type { Generated } from 'kysely'

export interface UploadTables {
  /** A file that texts of a project link to, with its content. */
  upload: {
    id: Generated<number>
    projectId: number
    /** 32 random hexadecimal digits in its URL, which grant access. */
    secret: string
    fileName: string
    /** Bytes. */
    size: number
    content: Buffer
    userId: number | null
    createdAt: string
  }
}
