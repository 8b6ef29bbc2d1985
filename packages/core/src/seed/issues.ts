import * as v from 'valibot'
import { DateOnly } from '../kernel/inputs.ts'
import type { Container } from './container.ts'
import { issuable } from './issuables.ts'
import { plantNotes } from './notes.ts'
import { type Planting, section } from './planting.ts'
import { plantTodos } from './todos.ts'

const Issue = v.strictObject({
  ...issuable,
  state: v.optional(v.picklist(['opened', 'closed']), 'opened'),
  confidential: v.optional(v.boolean()),
  dueDate: v.optional(DateOnly),
})

export const issuesSection = section('issues', Issue, async (planting: Planting, item, on: Container) => {
  const { as: name, state, emoji, notes, todos, createdAt, endedAt, ...given } = item
  const { project } = on as { project: number }
  const { id, iid } = await planting.at(createdAt).issues.create({ project, ...given })
  const ref = { project, issue: iid }
  for (const { name: emojiName, users } of emoji) {
    for (const user of users) await planting.at().awardEmoji.giveToIssue({ ...ref, name: emojiName, user })
  }
  const known = name ?? `${on.path}#${given.title}`
  await plantNotes(planting, notes, ref, known)
  await plantTodos(planting, todos, ref, known)
  if (state === 'closed') await planting.at(endedAt).issues.close(ref)
  planting.note('issues', known, { id, iid })
})
