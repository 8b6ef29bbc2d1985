import type { Context } from '../../kernel/context.ts'
import { type Reaction, when } from '../../signals.ts'
import type { Issue } from '../issues/issue.ts'
import type { MergeRequest } from '../merge-requests/merge-request.ts'
import type { NoteKey } from './queries.ts'
import { insertNote } from './writing.ts'

/** Records a change as a note of whoever made it. A change that the host itself makes has no author, and so no note. */
const record = async (ctx: Context, key: NoteKey, ...bodies: readonly string[]): Promise<void> => {
  if (ctx.actor.kind !== 'user') return
  for (const body of bodies) await insertNote(ctx, key, { authorId: ctx.actor.id, body, system: true })
}

const onIssue = ({ id }: Issue): NoteKey => ({ column: 'issueId', id })
const onMergeRequest = ({ id }: MergeRequest): NoteKey => ({ column: 'mergeRequestId', id })

type Issuable = Pick<Issue, 'title' | 'assignees' | 'milestone' | 'discussionLocked'>

const names = (people: Issuable['assignees']) => people.map(({ username }) => `@${username}`).join(', ')

const without = (people: Issuable['assignees'], others: Issuable['assignees']) =>
  people.filter(({ id }) => !others.some((other) => other.id === id))

const assignment = (before: Issuable, after: Issuable): string[] => {
  const added = without(after.assignees, before.assignees)
  const removed = without(before.assignees, after.assignees)
  const parts = [
    ...(added.length ? [`assigned to ${names(added)}`] : []),
    ...(removed.length ? [`unassigned ${names(removed)}`] : []),
  ]
  return parts.length ? [parts.join(' and ')] : []
}

const milestone = (before: Issuable, after: Issuable): string[] => {
  if (before.milestone?.id === after.milestone?.id) return []
  return [after.milestone ? `changed milestone to %"${after.milestone.title}"` : 'removed milestone']
}

/** What was done to an issue or merge request, in sentences that begin with whoever did it. */
const changes = (before: Issuable, after: Issuable, what: string): string[] => [
  ...(before.title === after.title ? [] : [`changed title from **${before.title}** to **${after.title}**`]),
  ...assignment(before, after),
  ...milestone(before, after),
  ...(before.discussionLocked === after.discussionLocked
    ? []
    : [`${after.discussionLocked ? 'locked' : 'unlocked'} this ${what}`]),
]

const confidentiality = (before: Issue, after: Issue): string[] => {
  if (before.confidential === after.confidential) return []
  return [after.confidential ? 'made the issue confidential' : 'made the issue visible to everyone']
}

/** The history that stands between the comments. Changes of labels are no notes: specification 1, "Note". */
export const systemNotes: readonly Reaction[] = [
  when('issue.closed', (ctx, { issue }) => record(ctx, onIssue(issue), 'closed')),
  when('issue.reopened', (ctx, { issue }) => record(ctx, onIssue(issue), 'reopened')),
  when('issue.updated', (ctx, { before, after }) =>
    record(ctx, onIssue(after), ...changes(before, after, 'issue'), ...confidentiality(before, after)),
  ),
  when('mergeRequest.closed', (ctx, { mergeRequest }) => record(ctx, onMergeRequest(mergeRequest), 'closed')),
  when('mergeRequest.reopened', (ctx, { mergeRequest }) => record(ctx, onMergeRequest(mergeRequest), 'reopened')),
  when('mergeRequest.merged', (ctx, { mergeRequest }) => record(ctx, onMergeRequest(mergeRequest), 'merged')),
  when('mergeRequest.updated', (ctx, { before, after }) =>
    record(ctx, onMergeRequest(after), ...changes(before, after, 'merge request')),
  ),
]
