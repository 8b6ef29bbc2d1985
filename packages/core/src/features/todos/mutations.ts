import type { CompleteRow } from '../../db/complete-row.ts'
import type { Context } from '../../kernel/context.ts'
import type { TodoAction } from './todo.ts'
import type { TodoTargetKey } from './todo-target.ts'

interface NewTodo {
  readonly userId: number
  readonly authorId: number
  readonly action: TodoAction
  readonly target: TodoTargetKey
  readonly noteId?: number
}

const columnOf = ({ kind }: Pick<TodoTargetKey, 'kind'>) => `${kind}Id` as const

/**
 * Creates a todo, unless the user has a pending one with the same target, of any action.
 *
 * @returns the id of the pending todo, and whether it is new
 */
export async function openTodo(
  ctx: Context,
  { userId, authorId, action, target, noteId }: NewTodo,
): Promise<{ changed: boolean; id: number }> {
  const { id, projectId, groupId } = target
  const keys = { issueId: null, mergeRequestId: null, epicId: null, [columnOf(target)]: id }
  const pending = ctx.db
    .selectFrom('todo')
    .where(columnOf(target), '=', id)
    .where('userId', '=', userId)
    .where('state', '=', 'pending')
    .select('id')
  const insertion = ctx.db
    .insertInto('todo')
    .values({
      ...keys,
      userId,
      authorId,
      projectId,
      groupId,
      noteId: noteId ?? null,
      action,
      state: 'pending',
      createdAt: ctx.now,
      updatedAt: ctx.now,
    } satisfies CompleteRow<'todo'>)
    .onConflict((key) => key.doNothing())
    .returning('id')
  for (;;) {
    const [inserted] = await insertion.execute()
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
