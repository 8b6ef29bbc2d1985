import * as v from 'valibot'
import type { TodoTargetRef } from '../features/todos/target.ts'
import type { TodoAction } from '../features/todos/todo.ts'
import { At, type Planting } from './planting.ts'

/** Why somebody is asked, as the operation takes it. */
const actions = [
  'assigned',
  'mentioned',
  'build_failed',
  'marked',
  'approval_required',
  'unmergeable',
  'directly_addressed',
] as const satisfies readonly TodoAction[]

const Todo = v.strictObject({
  /** How the result calls it; that of its target and its place there, such as `acme/web#Dark mode 1`, when absent. */
  as: v.optional(v.string()),
  /** Whose it is: a username. */
  user: v.string(),
  action: v.optional(v.picklist(actions), 'marked'),
  /** Who caused it: a username; the user when absent. */
  author: v.optional(v.string()),
  done: v.optional(v.boolean(), false),
  createdAt: At,
})

/** Todos in a seed, on whatever they are about. */
export const todoItems = v.optional(v.array(Todo), [])

/** Asks for attention, in the order of the items. */
export async function plantTodos(
  planting: Planting,
  items: v.InferOutput<typeof todoItems>,
  on: TodoTargetRef,
  of: string,
): Promise<void> {
  for (const [at, { as: name, done, createdAt, ...given }] of items.entries()) {
    const { id } = await planting.at(createdAt).todos.open({ ...on, ...given })
    if (done) await planting.as(given.user, createdAt).todos.finish({ todo: id })
    planting.note('todos', name ?? `${of} ${at + 1}`, { id })
  }
}
