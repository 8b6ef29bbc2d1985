import * as v from 'valibot'
import { itemActions } from '../features/collaboration/todos/todo.ts'
import type { TodoTargetInput } from '../features/collaboration/todos/todo-target.ts'
import { seedNumberedItems } from './numbered-items.ts'
import { type Seeder, Timestamp } from './seeder.ts'

const Todo = v.strictObject({
  /** Name in the result. Default: the name of the target and the number of the todo, `acme/web#Dark mode 1`. */
  as: v.optional(v.string()),
  /** Username of the owner. */
  user: v.string(),
  action: v.optional(v.picklist(itemActions), 'marked'),
  /** A username. Default: the owner. */
  author: v.optional(v.string()),
  /** Marks the to-do as done. */
  done: v.optional(v.boolean(), false),
  createdAt: Timestamp,
})

/** Todos of a target in a seed. */
export const TodoList = v.optional(v.array(Todo), [])

export const seedTodos = (
  seeder: Seeder,
  items: v.InferOutput<typeof TodoList>,
  target: TodoTargetInput,
  targetName: string,
): Promise<void> =>
  seedNumberedItems(seeder, 'todos', items, targetName, async ({ done, createdAt, ...fields }) => {
    const { todo } = await seeder.asHost(createdAt).todos.create({ ...target, ...fields })
    if (done) await seeder.asUser(fields.user, createdAt).todos.finish({ todo: todo.id })
    return todo
  })
