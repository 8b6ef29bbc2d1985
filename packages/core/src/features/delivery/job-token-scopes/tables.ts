import type { Generated } from 'kysely'

export interface JobTokenTables {
  /** The token of a job; it is valid while the job runs. */
  jobToken: {
    id: Generated<number>
    jobId: number
    /** SHA-256 of the token, in hexadecimal; the token itself is not stored. */
    digest: string
  }
  /** A project or group whose job tokens a project permits; exactly one of the targets is set. */
  jobTokenAllowlist: {
    id: Generated<number>
    projectId: number
    targetProjectId: number | null
    targetGroupId: number | null
  }
}
