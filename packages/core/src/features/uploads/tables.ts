import type { Generated } from 'kysely'

export interface UploadTables {
  /** A file that belongs to the texts of a project, with what it holds. */
  upload: {
    id: Generated<number>
    projectId: number
    /** 32 hexadecimal digits that its address holds, so that nobody guesses it. */
    secret: string
    fileName: string
    /** Bytes. */
    size: number
    content: Buffer
    userId: number | null
    createdAt: string
  }
}
