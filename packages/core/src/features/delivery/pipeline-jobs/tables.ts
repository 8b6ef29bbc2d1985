import type { Generated } from 'kysely'

export interface PipelineJobTables {
  /** A piece of the log of a job: the pieces follow each other without gaps. */
  jobTrace: {
    jobId: number
    /** Bytes of the log before the piece. */
    position: number
    /** Bytes of the piece. */
    size: number
    content: Buffer
  }
  /** The archive of the artifacts of a job; at most one per job. */
  jobArtifact: {
    id: Generated<number>
    jobId: number
    fileName: string
    /** Bytes. */
    size: number
    /** The file in the file storage. */
    storageKey: string
    /** 64 hexadecimal digits. */
    sha256: string
    /** When the artifacts can be removed, ISO 8601; null if they do not expire. */
    expiresAt: string | null
    createdAt: string
  }
}
