import type { Generated } from 'kysely'

export interface EpicTables {
  /** A large piece of work of a group. */
  epic: {
    id: Generated<number>
    iid: number
    groupId: number
    authorId: number
    title: string
    description: string | null
    state: 'opened' | 'closed'
    confidential: boolean
    createdAt: string
    updatedAt: string
    closedAt: string | null
    closedById: number | null
  }
}
