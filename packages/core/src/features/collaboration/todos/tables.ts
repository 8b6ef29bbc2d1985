import type { Generated } from 'kysely'
import type { TodoAction } from './todo.ts'

export interface TodoTables {
  /** At most one of `issueId`, `mergeRequestId` and `epicId` is set; none for a request of access to the project or group. */
  todo: {
    id: Generated<number>
    userId: number
    /** The user who caused the todo. */
    authorId: number
    /** The container of the target: a project, or a group for an epic. */
    projectId: number | null
    groupId: number | null
    issueId: number | null
    mergeRequestId: number | null
    epicId: number | null
    /** The note that caused the todo. */
    noteId: number | null
    action: TodoAction
    state: 'pending' | 'done'
    createdAt: string
    updatedAt: string
  }
}
