import { expressionBuilder } from 'kysely'
import type { AccessOptions } from '../../../access/access-conditions.ts'
import {
  readableEpics,
  readableGroups,
  readableIssues,
  readableMergeRequests,
  readableProjects,
} from '../../../access/predicates.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { accessRequested } from './todo.ts'

/** The current user's todos. All queries start here, because todos are visible to their owner only. */
export const selectOwnTodos = (ctx: Context) =>
  ctx.db.selectFrom('todo').where('todo.userId', '=', getUserId(ctx.actor))

type OwnTodos = ReturnType<typeof selectOwnTodos>

/**
 * Only those todos whose target the user can read now: todos are hidden while the user has no access. The targets are joined,
 * because PostgreSQL replaces `exists` by a set of all targets that the user can read.
 */
export const withReadableTarget = (ctx: Context & AccessOptions, todos: OwnTodos) =>
  todos
    .leftJoin('issue', 'issue.id', 'todo.issueId')
    .leftJoin('mergeRequest', 'mergeRequest.id', 'todo.mergeRequestId')
    .leftJoin('project', 'project.id', 'todo.projectId')
    .leftJoin('epic', 'epic.id', 'todo.epicId')
    .leftJoin('namespace', 'namespace.id', 'todo.groupId')
    .where((eb) =>
      eb.or([
        eb.and([
          eb('todo.action', '=', accessRequested),
          eb.or([
            eb.and([eb('todo.projectId', 'is not', null), readableProjects(ctx)(expressionBuilder())]),
            eb.and([eb('todo.groupId', 'is not', null), readableGroups(ctx)(expressionBuilder())]),
          ]),
        ]),
        eb.and([eb('issue.id', 'is not', null), readableIssues(ctx)(expressionBuilder())]),
        eb.and([eb('mergeRequest.id', 'is not', null), readableMergeRequests(ctx)(expressionBuilder())]),
        // The free tier has no epics.
        ...(ctx.tier === 'paid'
          ? [eb.and([eb('epic.id', 'is not', null), readableEpics(ctx)(expressionBuilder())])]
          : []),
      ]),
    )

export const todoColumns = [
  'todo.id',
  'todo.authorId',
  'todo.projectId',
  'todo.groupId',
  'todo.issueId',
  'todo.mergeRequestId',
  'todo.epicId',
  'todo.noteId',
  'todo.action',
  'todo.state',
  'todo.createdAt',
  'todo.updatedAt',
] as const

const selectTodoRows = (ctx: Context) => selectOwnTodos(ctx).select(todoColumns)
export type TodoRow = Awaited<ReturnType<ReturnType<typeof selectTodoRows>['executeTakeFirstOrThrow']>>
