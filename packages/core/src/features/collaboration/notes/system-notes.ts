import type { Context } from '../../../kernel/context.ts'
import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import type { Issue } from '../../planning/issues/issue.ts'
import type { AutoMergeChange, MergeRequest } from '../merge-requests/merge-request.ts'
import { insertNote } from './mutations.ts'
import type { NoteKey } from './queries.ts'

/** Stores system notes by the user who made a change. A change by the host has no author and leaves no note. */
const insertSystemNotes = async (ctx: Context, key: NoteKey, ...bodies: readonly string[]): Promise<void> => {
  if (ctx.actor.kind !== 'user') return
  for (const body of bodies) await insertNote(ctx, key, { authorId: ctx.actor.id, body, system: true })
}

const issueKey = ({ id }: Issue): NoteKey => ({ column: 'issueId', id })
const mergeRequestKey = ({ id }: MergeRequest): NoteKey => ({ column: 'mergeRequestId', id })

type Issuable = Pick<Issue, 'title' | 'assignees' | 'milestone' | 'discussionLocked'>

const formatMentions = (users: Issuable['assignees']) => users.map(({ username }) => `@${username}`).join(', ')

const excludeUsers = (users: Issuable['assignees'], others: Issuable['assignees']) =>
  users.filter(({ id }) => !others.some((other) => other.id === id))

const describeAssignment = (before: Issuable, after: Issuable): string[] => {
  const added = excludeUsers(after.assignees, before.assignees)
  const removed = excludeUsers(before.assignees, after.assignees)
  const parts = [
    ...(added.length ? [`assigned to ${formatMentions(added)}`] : []),
    ...(removed.length ? [`unassigned ${formatMentions(removed)}`] : []),
  ]
  return parts.length ? [parts.join(' and ')] : []
}

const describeReviewRequests = (before: MergeRequest, after: MergeRequest): string[] => {
  const added = excludeUsers(after.reviewers, before.reviewers)
  const removed = excludeUsers(before.reviewers, after.reviewers)
  return [
    ...(added.length ? [`requested review from ${formatMentions(added)}`] : []),
    ...(removed.length ? [`removed review request for ${formatMentions(removed)}`] : []),
  ]
}

const describeTargetBranch = (before: MergeRequest, after: MergeRequest): string[] =>
  before.targetBranch === after.targetBranch
    ? []
    : [`changed target branch from \`${before.targetBranch}\` to \`${after.targetBranch}\``]

const describeMilestone = (before: Issuable, after: Issuable): string[] => {
  if (before.milestone?.id === after.milestone?.id) return []
  return [after.milestone ? `changed milestone to %"${after.milestone.title}"` : 'removed milestone']
}

/** Texts for the changes of an issue or merge request; clients show the author before each text. */
const describeChanges = (before: Issuable, after: Issuable, noun: string): string[] => [
  ...(before.title === after.title ? [] : [`changed title from **${before.title}** to **${after.title}**`]),
  ...describeAssignment(before, after),
  ...describeMilestone(before, after),
  ...(before.discussionLocked === after.discussionLocked
    ? []
    : [`${after.discussionLocked ? 'locked' : 'unlocked'} this ${noun}`]),
]

const describeConfidentiality = (before: Issue, after: Issue): string[] => {
  if (before.confidential === after.confidential) return []
  return [after.confidential ? 'made the issue confidential' : 'made the issue visible to everyone']
}

const describeWeight = (before: Issue, after: Issue): string[] => {
  if (before.weight === after.weight) return []
  return [after.weight === null ? 'removed the weight' : `changed weight to **${after.weight}**`]
}

const describeAutoMerge = (change: AutoMergeChange): string => {
  if (change.action === 'canceled') return 'canceled the automatic merge'
  if (change.action === 'aborted') return `aborted the automatic merge because ${change.reason}`
  return [
    'enabled an automatic merge when the pipeline',
    ...(change.sha ? [`for ${change.sha}`] : []),
    'succeeds',
  ].join(' ')
}

/** Records changes as system notes. Label changes leave no notes: specification 1, "Note". */
export const systemNoteReactions: readonly Reaction[] = [
  defineReaction('issue.closed', (ctx, { issue, via }) =>
    insertSystemNotes(ctx, issueKey(issue), via === undefined ? 'closed' : `closed via ${via}`),
  ),
  defineReaction('issue.reopened', (ctx, { issue }) => insertSystemNotes(ctx, issueKey(issue), 'reopened')),
  defineReaction('issue.updated', (ctx, { before, after }) =>
    insertSystemNotes(
      ctx,
      issueKey(after),
      ...describeChanges(before, after, 'issue'),
      ...describeConfidentiality(before, after),
      ...describeWeight(before, after),
    ),
  ),
  defineReaction('mergeRequest.closed', (ctx, { mergeRequest }) =>
    insertSystemNotes(ctx, mergeRequestKey(mergeRequest), 'closed'),
  ),
  defineReaction('mergeRequest.reopened', (ctx, { mergeRequest }) =>
    insertSystemNotes(ctx, mergeRequestKey(mergeRequest), 'reopened'),
  ),
  defineReaction('mergeRequest.merged', (ctx, { mergeRequest }) =>
    insertSystemNotes(ctx, mergeRequestKey(mergeRequest), 'merged'),
  ),
  defineReaction('mergeRequest.autoMergeChanged', (ctx, { mergeRequestId: id, change }) =>
    insertSystemNotes(ctx, { column: 'mergeRequestId', id }, describeAutoMerge(change)),
  ),
  defineReaction('mergeRequest.updated', (ctx, { before, after }) =>
    insertSystemNotes(
      ctx,
      mergeRequestKey(after),
      ...describeTargetBranch(before, after),
      ...describeChanges(before, after, 'merge request'),
      ...describeReviewRequests(before, after),
    ),
  ),
]
