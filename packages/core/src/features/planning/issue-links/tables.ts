import type { Generated } from 'kysely'
import type { IssueLinkType } from './issue-link.ts'

export interface IssueLinkTables {
  /** A relation between two issues. */
  issueLink: {
    id: Generated<number>
    sourceId: number
    targetId: number
    linkType: Exclude<IssueLinkType, 'is_blocked_by'>
    createdAt: string
    updatedAt: string
  }
}
