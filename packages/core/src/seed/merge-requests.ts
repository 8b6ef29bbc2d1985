import * as v from 'valibot'
import type { Container } from './container.ts'
import { issuable } from './issuables.ts'
import { plantNotes } from './notes.ts'
import { type Planting, section } from './planting.ts'
import { plantTodos } from './todos.ts'

const MergeRequest = v.strictObject({
  ...issuable,
  sourceBranch: v.string(),
  targetBranch: v.optional(v.string()),
  state: v.optional(v.picklist(['opened', 'closed', 'merged']), 'opened'),
})

export const mergeRequestsSection = section(
  'mergeRequests',
  MergeRequest,
  async (planting: Planting, item, on: Container) => {
    const { as: name, state, emoji, notes, todos, createdAt, endedAt, discussionLocked, ...given } = item
    const { project } = on as { project: number }
    const { id, iid } = await planting.at(createdAt).mergeRequests.create({ project, ...given })
    const ref = { project, mergeRequest: iid }
    if (discussionLocked) await planting.at(createdAt).mergeRequests.update({ ...ref, discussionLocked })
    for (const { name: emojiName, users } of emoji) {
      for (const user of users) await planting.at().awardEmoji.giveToMergeRequest({ ...ref, name: emojiName, user })
    }
    const known = name ?? `${on.path}!${given.title}`
    await plantNotes(planting, notes, ref, known)
    await plantTodos(planting, todos, ref, known)
    if (state === 'closed') await planting.at(endedAt).mergeRequests.close(ref)
    if (state === 'merged') await planting.at(endedAt).mergeRequests.merge(ref)
    planting.note('mergeRequests', known, { id, iid })
  },
)
