import type { Generated } from 'kysely'

export interface LabelTables {
  /** A label belongs to either a project or a group; the other id is null. */
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
  /** The priorities of labels in a project, including labels of its groups. */
  labelPriority: { labelId: number; projectId: number; priority: number }
  labelSubscription: { labelId: number; projectId: number; userId: number }
}
