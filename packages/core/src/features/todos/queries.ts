import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { AccessOptions } from '../../access/access-conditions.ts'
import { readableEpics, readableIssues, readableMergeRequests } from '../../access/predicates.ts'
import type { Database } from '../../contract/database.ts'
import { getUserId } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'

type TodoExpressionBuilder = ExpressionBuilder<Database, 'todo'>

/** Condition on `todo` rows: the user can read the target now. Todos are hidden while the user has no access. */
export const hasReadableTarget =
  (ctx: Context & AccessOptions) =>
  (eb: TodoExpressionBuilder): Expression<SqlBool> => {
    const issue = eb
      .selectFrom('issue')
      .innerJoin('project', 'project.id', 'issue.projectId')
      .whereRef('issue.id', '=', 'todo.issueId')
      .where((inner) => readableIssues(ctx)(inner as unknown as ExpressionBuilder<Database, 'issue' | 'project'>))
      .select('issue.id')
    const mergeRequest = eb
      .selectFrom('mergeRequest')
      .innerJoin('project', 'project.id', 'mergeRequest.projectId')
      .whereRef('mergeRequest.id', '=', 'todo.mergeRequestId')
      .where((inner) =>
        readableMergeRequests(ctx)(inner as unknown as ExpressionBuilder<Database, 'mergeRequest' | 'project'>),
      )
      .select('mergeRequest.id')
    const epic = eb
      .selectFrom('epic')
      .innerJoin('namespace', 'namespace.id', 'epic.groupId')
      .whereRef('epic.id', '=', 'todo.epicId')
      .where((inner) => readableEpics(ctx)(inner as unknown as ExpressionBuilder<Database, 'epic' | 'namespace'>))
      .select('epic.id')
    return eb.or([
      eb.and([eb('todo.issueId', 'is not', null), eb.exists(issue)]),
      eb.and([eb('todo.mergeRequestId', 'is not', null), eb.exists(mergeRequest)]),
      // The free tier has no epics.
      ...(ctx.tier === 'paid' ? [eb.and([eb('todo.epicId', 'is not', null), eb.exists(epic)])] : []),
    ])
  }

/** The current user's todos. All queries start here, because todos are visible to their owner only. */
export const selectOwnTodos = (ctx: Context) =>
  ctx.db.selectFrom('todo').where('todo.userId', '=', getUserId(ctx.actor))

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
