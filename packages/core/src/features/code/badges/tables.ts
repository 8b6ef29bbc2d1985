import type { Generated } from 'kysely'

export interface BadgeTables {
  /** A badge of exactly one of a project and a group. */
  badge: {
    id: Generated<number>
    projectId: number | null
    groupId: number | null
    name: string | null
    linkUrl: string
    imageUrl: string
    createdAt: string
  }
}
