import type { Generated } from 'kysely'

export interface LabelTables {
  /** A label of exactly one of a project and a group. */
  label: {
    id: Generated<number>
    projectId: number | null
    groupId: number | null
    name: string
    color: string
    description: string | null
    createdAt: string
    updatedAt: string
  }
  /** A project's own order of labels, its group's labels included. */
  labelPriority: { labelId: number; projectId: number; priority: number }
  labelSubscription: { labelId: number; projectId: number; userId: number }
}
