import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Holding } from '../../access/holdings.ts'
import { readableEpics, readableIssues, readableMergeRequests } from '../../access/predicates.ts'
import type { Database } from '../../database.ts'
import { personId } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'

type InTodos = ExpressionBuilder<Database, 'todo'>

/** On rows of `todo`: what the todo is about can be read now. Whoever has lost access has lost the todo with it. */
export const onReadable =
  (ctx: Holding<Context>) =>
  (eb: InTodos): Expression<SqlBool> => {
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
      // A platform without the paid tier has no epics.
      ...(ctx.tier === 'paid' ? [eb.and([eb('todo.epicId', 'is not', null), eb.exists(epic)])] : []),
    ])
  }

/** The caller's own todos: those of other people are nobody else's business. */
export const ownTodos = (ctx: Holding<Context>) =>
  ctx.listing.selectFrom('todo').where('todo.userId', '=', personId(ctx.actor))

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

const selected = (ctx: Holding<Context>) => ownTodos(ctx).select(todoColumns)
export type TodoRow = Awaited<ReturnType<ReturnType<typeof selected>['executeTakeFirstOrThrow']>>
