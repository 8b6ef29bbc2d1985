import * as v from 'valibot'
import { DateOnly } from '../kernel/inputs.ts'
import { EmojiList, seedEmoji } from './emoji.ts'
import { namedIn } from './identity.ts'
import { NoteList, seedNotes } from './notes.ts'
import type { SectionParent } from './section-parent.ts'
import { defineSection, type Seeder, Timestamp } from './seeder.ts'
import { seedTodos, TodoList } from './todos.ts'

const Epic = v.strictObject({
  /** Name in the result. Default: `<group path>&<title>`. */
  as: v.optional(v.string()),
  title: v.string(),
  /** Text in Markdown, at most 1,000,000 characters. */
  description: v.optional(v.string()),
  /** A username. */
  author: v.string(),
  confidential: v.optional(v.boolean()),
  /** Names. Missing labels are created in the group. */
  labels: v.optional(v.array(v.string())),
  /** First day, such as `2026-11-21`. */
  startDate: v.optional(DateOnly),
  /** Last day, such as `2026-11-28`. */
  dueDate: v.optional(DateOnly),
  /** Whether the epic starts on `startDate` instead of the first day of its milestones. Default: with a `startDate`. */
  startDateIsFixed: v.optional(v.boolean()),
  /** Whether the epic ends on `dueDate` instead of the last day of its milestones. Default: with a `dueDate`. */
  dueDateIsFixed: v.optional(v.boolean()),
  /** `#` and 3 or 6 hexadecimal digits, or a CSS color name. */
  color: v.optional(v.string()),
  /** A closed epic is closed after its notes are added. */
  state: v.optional(v.picklist(['opened', 'closed']), 'opened'),
  emoji: EmojiList,
  notes: NoteList,
  todos: TodoList,
  createdAt: Timestamp,
  /** Time of closing. */
  endedAt: Timestamp,
})

/** Epics of a group with their notes and emoji. Issues name their epic. */
export const epicsSection = defineSection(
  'epics',
  Epic,
  async (seeder: Seeder, item, parent: Extract<SectionParent, { readonly group: number }>) => {
    const { as: name, state, emoji, notes, todos, createdAt, endedAt, ...fields } = item
    const { id, iid } = await seeder.asHost(createdAt).epics.create({ group: parent.group, ...fields })
    const ref = { group: parent.group, epic: iid }
    await seedEmoji(seeder, emoji, ref)
    const resultName = name ?? `${parent.path}&${fields.title}`
    await seedNotes(seeder, notes, ref, resultName)
    await seedTodos(seeder, todos, ref, resultName)
    if (state === 'closed') await seeder.asHost(endedAt).epics.update({ ...ref, stateEvent: 'close' })
    seeder.record('epics', resultName, { id, iid })
  },
  namedIn(
    ({ epics }) => ({
      list: ({ group = 0, ...paging }) => epics.list({ group, includeDescendantGroups: false, ...paging }),
    }),
    ({ title }) => title,
  ),
)
