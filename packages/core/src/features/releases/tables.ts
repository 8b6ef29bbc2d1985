import type { Generated } from 'kysely'
import type { LinkType } from './release.ts'

export interface ReleaseTables {
  /** A tag of a project's repository that was made public. */
  release: {
    id: Generated<number>
    projectId: number
    tag: string
    name: string
    description: string | null
    /** The commit that the tag marked when it was released. */
    sha: string | null
    authorId: number | null
    releasedAt: string
    createdAt: string
  }
  releaseLink: {
    id: Generated<number>
    releaseId: number
    name: string
    url: string
    linkType: LinkType
    /** Below which a permanent address leads to it: `/bin/tool`. */
    filepath: string | null
  }
  releaseMilestone: { releaseId: number; milestoneId: number }
}
