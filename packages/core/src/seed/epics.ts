import * as v from 'valibot'
import { noteItems, plantNotes } from './notes.ts'
import { At, type Planting, section } from './planting.ts'
import { plantTodos, todoItems } from './todos.ts'

const Epic = v.strictObject({
  /** How the result calls it; its title, after the path of its group, when absent. */
  as: v.optional(v.string()),
  title: v.string(),
  description: v.optional(v.string()),
  /** A username. */
  author: v.string(),
  confidential: v.optional(v.boolean()),
  state: v.optional(v.picklist(['opened', 'closed']), 'opened'),
  notes: noteItems,
  todos: todoItems,
  createdAt: At,
  /** When it was closed. */
  endedAt: At,
})

/** Epics of a group, with their notes. */
export const epicsSection = section(
  'epics',
  Epic,
  async (planting: Planting, item, on: { readonly group: number; readonly path: string }) => {
    const { as: name, state, notes, todos, createdAt, endedAt, ...given } = item
    const { id, iid } = await planting.at(createdAt).epics.create({ group: on.group, ...given })
    const known = name ?? `${on.path}&${given.title}`
    await plantNotes(planting, notes, { group: on.group, epic: id }, known)
    await plantTodos(planting, todos, { group: on.group, epic: id }, known)
    if (state === 'closed') await planting.at(endedAt).epics.close({ group: on.group, epic: id })
    planting.note('epics', known, { id, iid })
  },
)
