import * as v from 'valibot'
import { seedEmoji } from './emoji.ts'
import { issuableFields, seedTimes } from './issuable-fields.ts'
import { ReviewNoteList, seedNotes } from './notes.ts'
import { readPages } from './pages.ts'
import { projectOf, type SectionParent } from './section-parent.ts'
import { defineSection, type Seeder, Timestamp } from './seeder.ts'
import { seedTodos } from './todos.ts'

const mergeRequestFields = {
  ...issuableFields,
  /** Comments in chronological order. */
  notes: ReviewNoteList,
  sourceBranch: v.string(),
  targetBranch: v.optional(v.string()),
  /** Usernames. */
  reviewers: v.optional(v.array(v.string())),
  /** Whether the merge combines the commits of the source branch. */
  squash: v.optional(v.boolean()),
  /** Whether the merge removes the source branch. */
  removeSourceBranch: v.optional(v.boolean()),
  /** Time before which it cannot be merged. */
  mergeAfter: Timestamp,
  /** Merged and closed ones are opened first; their notes are added before the end. */
  state: v.optional(v.picklist(['opened', 'closed', 'merged']), 'opened'),
}

const ArchivedMergeRequest = v.strictObject(mergeRequestFields)

const MergeRequest = v.strictObject({
  ...mergeRequestFields,
  /** Full path of an earlier project with the source branch: a fork, or the source of this fork. Default: this project. */
  sourceProject: v.optional(v.string()),
  /** Full path of an earlier project that the merge request belongs to. Default: this project. */
  targetProject: v.optional(v.string()),
  /** Whether those who may merge may also push to the source branch of a fork. */
  allowCollaboration: v.optional(v.boolean()),
  /** Usernames of those who approved, with access to the project. */
  approvedBy: v.optional(v.array(v.string())),
})

type Item = v.InferOutput<typeof MergeRequest>

const toName = ({ title, sourceBranch }: { readonly title: string; readonly sourceBranch: string }) =>
  `${sourceBranch} ${title}`

const seedMergeRequest = async (seeder: Seeder, item: Item, parent: SectionParent) => {
  const { as: name, state, emoji, notes, todos, createdAt, endedAt, discussionLocked, ...rest } = item
  const { sourceProject, targetProject, timeEstimate, timeSpent, approvedBy = [], ...fields } = rest
  const own = projectOf(parent)
  const created = { project: sourceProject ?? own, targetProjectId: targetProject ?? own, ...fields }
  const { id, iid, projectId: project } = await seeder.asHost(createdAt).mergeRequests.create(created)
  const ref = { project, mergeRequest: iid }
  if (discussionLocked) await seeder.asHost(createdAt).mergeRequests.update({ ...ref, discussionLocked })
  await seedTimes(seeder, item, ref)
  for (const user of approvedBy) await seeder.asHost(createdAt).mergeRequestApprovals.approve({ ...ref, user })
  await seedEmoji(seeder, emoji, ref)
  const resultName = name ?? `${parent.path}!${fields.title}`
  await seedNotes(seeder, notes, ref, resultName)
  await seedTodos(seeder, todos, ref, resultName)
  if (state === 'closed') await seeder.asHost(endedAt).mergeRequests.update({ ...ref, stateEvent: 'close' })
  if (state === 'merged') await seeder.asHost(endedAt).mergeRequests.merge(ref)
  seeder.record('mergeRequests', resultName, { id, iid })
}

/** Merge requests with their notes, emoji and to-dos. */
export const mergeRequestsSection = defineSection('mergeRequests', MergeRequest, seedMergeRequest, {
  nameOf: toName,
  async *listNames(seeder, parent: SectionParent) {
    const { mergeRequests } = seeder.asHost()
    const project = projectOf(parent)
    for await (const item of readPages(mergeRequests.list, { project })) yield toName(item)
    const fromProject = { sourceProjectId: project, scope: 'all' } as const
    for await (const item of readPages(mergeRequests.list, fromProject)) if (item.fromFork) yield toName(item)
  },
})

/** The same in archives, whose authors must reach no other project. */
export const archivedMergeRequestsSection = defineSection(
  'mergeRequests',
  ArchivedMergeRequest,
  (seeder: Seeder, item, parent: SectionParent) => seedMergeRequest(seeder, item, parent),
)
