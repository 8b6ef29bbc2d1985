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
  /** The project in which a user is subscribed to a label; null: all projects of the group of the label. */
  labelSubscription: { id: Generated<number>; labelId: number; projectId: number | null; userId: number }
}
