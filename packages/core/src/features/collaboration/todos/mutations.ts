import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import type { TodoAction } from './todo.ts'
import type { TodoTargetKey } from './todo-target.ts'

export interface NewTodo {
  readonly userId: number
  readonly authorId: number
  readonly action: TodoAction
  readonly target: TodoTargetKey
  readonly noteId?: number
}

const columnOf = ({ kind }: Pick<TodoTargetKey, 'kind'>) => `${kind}Id` as const

const toRow = ({ now }: Context, { userId, authorId, action, target, noteId }: NewTodo) =>
  ({
    issueId: null,
    mergeRequestId: null,
    epicId: null,
    [columnOf(target)]: target.id,
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
 * Creates todos. A user who has a pending one with the same target, of any action, gets no further one.
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
  /** False if the user had a pending todo on the target already. */
  changed: boolean
  /** Id of the pending todo. */
  id: number
}

/** Creates a todo like `openTodos`. Returns the id of the pending todo, and whether it is new. */
export async function openTodo(ctx: Context, todo: NewTodo): Promise<OpenTodoResult> {
  const pending = ctx.db
    .selectFrom('todo')
    .where(columnOf(todo.target), '=', todo.target.id)
    .where('userId', '=', todo.userId)
    .where('state', '=', 'pending')
    .select('id')
  for (;;) {
    const [inserted] = await openTodos(ctx, [todo])
    if (inserted) return { changed: true, id: inserted.id }
    const existing = await pending.executeTakeFirst()
    // On PostgreSQL, the user may finish the pending todo between the two statements.
    if (existing) return { changed: false, id: existing.id }
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
