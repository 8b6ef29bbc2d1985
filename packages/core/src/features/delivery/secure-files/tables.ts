import type { Generated } from 'kysely'

export interface SecureFileTables {
  /** A file that the jobs of a project need. */
  secureFile: {
    id: Generated<number>
    projectId: number
    /** Unique in the project. */
    name: string
    /** Bytes. */
    size: number
    /** The file in the file storage. */
    storageKey: string
    /** 64 hexadecimal digits. */
    sha256: string
    createdAt: string
  }
}
