import * as v from 'valibot'
import { namedIn } from './identity.ts'
import { issuableFields } from './issuable-fields.ts'
import { seedNotes } from './notes.ts'
import { defineSection, type Seeder } from './seeder.ts'
import type { SectionParent } from './shared-sections.ts'
import { seedTodos } from './todos.ts'

const MergeRequest = v.strictObject({
  ...issuableFields,
  sourceBranch: v.string(),
  targetBranch: v.optional(v.string()),
  /** Merged and closed ones are opened first; their notes are added before the end. */
  state: v.optional(v.picklist(['opened', 'closed', 'merged']), 'opened'),
})

/** Merge requests with their notes, emoji and to-dos. */
export const mergeRequestsSection = defineSection(
  'mergeRequests',
  MergeRequest,
  async (seeder: Seeder, item, parent: SectionParent) => {
    const { as: name, state, emoji, notes, todos, createdAt, endedAt, discussionLocked, ...fields } = item
    const { project } = parent as { project: number }
    const { id, iid } = await seeder.asHost(createdAt).mergeRequests.create({ project, ...fields })
    const ref = { project, mergeRequest: iid }
    if (discussionLocked) await seeder.asHost(createdAt).mergeRequests.update({ ...ref, discussionLocked })
    for (const { name: emojiName, users } of emoji) {
      for (const user of users) await seeder.asHost().awardEmoji.giveToMergeRequest({ ...ref, name: emojiName, user })
    }
    const resultName = name ?? `${parent.path}!${fields.title}`
    await seedNotes(seeder, notes, ref, resultName)
    await seedTodos(seeder, todos, ref, resultName)
    if (state === 'closed') await seeder.asHost(endedAt).mergeRequests.close(ref)
    if (state === 'merged') await seeder.asHost(endedAt).mergeRequests.merge(ref)
    seeder.record('mergeRequests', resultName, { id, iid })
  },
  namedIn(
    (host, parent: SectionParent, paging) =>
      host.mergeRequests.list({ project: (parent as { project: number }).project, ...paging }),
    ({ title, sourceBranch }) => `${sourceBranch} ${title}`,
    ({ title, sourceBranch }) => `${sourceBranch} ${title}`,
  ),
)
