import type { Generated } from 'kysely'

export interface UploadTables {
  /** A file that texts of a project link to. */
  upload: {
    id: Generated<number>
    projectId: number
    /** 32 random hexadecimal digits in its URL, which grant access. */
    secret: string
    fileName: string
    /** Bytes. */
    size: number
    /** The file in the file storage; null while the content is in `upload_content`. */
    storageKey: string | null
    /** 64 hexadecimal digits; null if `storageKey` is null. */
    sha256: string | null
    userId: number | null
    createdAt: string
  }
  /** Contents from before the file storage. A job moves them there. */
  uploadContent: {
    uploadId: number
    content: Buffer
  }
}
