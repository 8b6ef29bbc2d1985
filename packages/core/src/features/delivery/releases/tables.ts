import type { Generated } from 'kysely'
import type { LinkType } from './release.ts'

export interface ReleaseTables {
  release: {
    id: Generated<number>
    projectId: number
    tag: string
    name: string
    description: string | null
    /** The commit of the tag at the time of the release. */
    sha: string | null
    authorId: number | null
    releasedAt: string
    createdAt: string
    updatedAt: string
  }
  releaseLink: {
    id: Generated<number>
    releaseId: number
    name: string
    url: string
    linkType: LinkType
    /** Path of the permanent URL: `/bin/tool`. */
    filepath: string | null
  }
  /** A record of the contents of a release. */
  releaseEvidence: {
    id: Generated<number>
    releaseId: number
    /** SHA-256 of `data` in hexadecimal digits. */
    sha: string
    /** JSON text; the digest covers its bytes. */
    data: string
    collectedAt: string
  }
  releaseMilestone: { releaseId: number; milestoneId: number }
}
