import type { Generated } from 'kysely'
import type { TodoAction } from './todo.ts'

export interface TodoTables {
  /** Something that asks for a user's attention: exactly one of an issue, a merge request and an epic. */
  todo: {
    id: Generated<number>
    userId: number
    /** Who caused it. */
    authorId: number
    /** Where the target is: a project, or for an epic a group. */
    projectId: number | null
    groupId: number | null
    issueId: number | null
    mergeRequestId: number | null
    epicId: number | null
    /** The note it came from. */
    noteId: number | null
    action: TodoAction
    state: 'pending' | 'done'
    createdAt: string
    updatedAt: string
  }
}
