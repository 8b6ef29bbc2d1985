import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { mentionActions, type TodoAction } from './todo.ts'
import type { ContainerKey, TodoTargetKey } from './todo-target.ts'

export interface NewTodo {
  readonly userId: number
  readonly authorId: number
  readonly action: TodoAction
  readonly target: TodoTargetKey | ContainerKey
  readonly noteId?: number
}

const columnOf = ({ kind }: Pick<TodoTargetKey, 'kind'>) => `${kind}Id` as const

const toRow = ({ now }: Context, { userId, authorId, action, target, noteId }: NewTodo) =>
  ({
    issueId: null,
    mergeRequestId: null,
    epicId: null,
    ...(target.kind !== 'container' && { [columnOf(target)]: target.id }),
    userId,
    authorId,
    projectId: target.projectId,
    groupId: target.groupId,
    noteId: noteId ?? null,
    action,
    state: 'pending',
    createdAt: now,
    updatedAt: now,
  }) satisfies CompleteRow<'todo'>

/**
 * Creates to-do items. A user who has a pending one with the same target and action gets no further one, except for mentions.
 *
 * @returns the ids of the new todos
 */
export async function openTodos(ctx: Context, todos: readonly NewTodo[]): Promise<readonly { readonly id: number }[]> {
  if (!todos.length) return []
  const rows = todos.map((todo) => toRow(ctx, todo))
  return ctx.db
    .insertInto('todo')
    .values(rows)
    .onConflict((key) => key.doNothing())
    .returning('id')
    .execute()
}

/** The pending todo of a user on a target. */
export interface OpenTodoResult {
  /** False if the user had a pending one already. */
  changed: boolean
  /** Id of the pending todo. */
  id: number
}

/**
 * Creates a to-do item like `openTodos`. A user marks only items without a pending one of any action.
 *
 * @returns the id of the pending to-do item, and whether it is new
 */
export async function openTodo(
  ctx: Context,
  todo: NewTodo & { readonly target: TodoTargetKey },
): Promise<OpenTodoResult> {
  const { action, target, userId } = todo
  const ofTarget = ctx.db
    .selectFrom('todo')
    .where(columnOf(target), '=', target.id)
    .where('userId', '=', userId)
    .where('state', '=', 'pending')
  const pending = action === 'marked' ? ofTarget : ofTarget.where('action', '=', action)
  const isMention = mentionActions.some((one) => one === action)
  for (;;) {
    const existing = isMention ? undefined : await pending.orderBy('id', 'desc').select('id').executeTakeFirst()
    if (existing) return { changed: false, id: existing.id }
    // On PostgreSQL, another call may create or finish one between the two statements.
    const [inserted] = await openTodos(ctx, [todo])
    if (inserted) return { changed: true, id: inserted.id }
  }
}

/** Marks the user's pending todos on a target as done. */
export async function finishTodos(
  ctx: Context,
  userId: number,
  target: Pick<TodoTargetKey, 'kind' | 'id'>,
): Promise<void> {
  await ctx.db
    .updateTable('todo')
    .set({ state: 'done', updatedAt: ctx.now })
    .where(columnOf(target), '=', target.id)
    .where('userId', '=', userId)
    .where('state', '=', 'pending')
    .execute()
}
