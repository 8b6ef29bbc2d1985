import type { Context } from '../../kernel/context.ts'
import type { TodoPlace } from './target.ts'
import type { TodoAction } from './todo.ts'

interface NewTodo {
  readonly userId: number
  readonly authorId: number
  readonly action: TodoAction
  readonly place: TodoPlace
  readonly noteId?: number
}

const columnOf = ({ kind }: TodoPlace) => `${kind}Id` as const

/**
 * Asks for a user's attention. Whoever has a pending todo on the same thing is not asked again, whatever it was for.
 *
 * @returns the id of the pending todo, and whether it is a new one
 */
export async function openTodo(
  ctx: Context,
  { userId, authorId, action, place, noteId }: NewTodo,
): Promise<{ changed: boolean; id: number }> {
  const { id, projectId, groupId } = place
  const keys = { issueId: null, mergeRequestId: null, epicId: null, [columnOf(place)]: id }
  const [row] = await ctx.db
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
    })
    .onConflict((key) => key.doNothing())
    .returning('id')
    .execute()
  if (row) return { changed: true, id: row.id }
  const known = await ctx.db
    .selectFrom('todo')
    .where(columnOf(place), '=', id)
    .where('userId', '=', userId)
    .where('state', '=', 'pending')
    .select('id')
    .executeTakeFirstOrThrow()
  return { changed: false, id: known.id }
}

/** Whoever does something about a thing has done what it asked of them. */
export async function finishTodos(ctx: Context, userId: number, place: Pick<TodoPlace, 'kind' | 'id'>): Promise<void> {
  await ctx.db
    .updateTable('todo')
    .set({ state: 'done', updatedAt: ctx.now })
    .where(`${place.kind}Id`, '=', place.id)
    .where('userId', '=', userId)
    .where('state', '=', 'pending')
    .execute()
}
