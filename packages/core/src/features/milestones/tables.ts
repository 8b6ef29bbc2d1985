import type { Generated } from 'kysely'

export interface MilestoneTables {
  /** A milestone of exactly one of a project and a group. */
  milestone: {
    id: Generated<number>
    iid: number
    projectId: number | null
    groupId: number | null
    title: string
    description: string | null
    state: 'active' | 'closed'
    startDate: string | null
    dueDate: string | null
    createdAt: string
    updatedAt: string
  }
}
