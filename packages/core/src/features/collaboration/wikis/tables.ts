import type { Generated } from 'kysely'
import type { WikiFormat } from './wiki-page.ts'

export interface WikiTables {
  /** A page of the wiki of exactly one of a project and a group. */
  wikiPage: {
    id: Generated<number>
    projectId: number | null
    groupId: number | null
    slug: string
    title: string
    format: WikiFormat
    content: string
    createdAt: string
    updatedAt: string
  }
}
