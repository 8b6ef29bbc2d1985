import type { Context } from '../../kernel/context.ts'
import { type Reaction, type Signals, when } from '../../signals.ts'
import type { EventAction } from './event.ts'
import { record } from './recording.ts'

/** Whoever acts, or, where the host acts for somebody it does not name, the user who stands for them. */
const doer = ({ actor }: Context, otherwise: number | null) => (actor.kind === 'user' ? actor.id : otherwise)

type Name = keyof Signals

const onIssue = (name: Name & `issue.${string}`, action: EventAction) =>
  when(name as 'issue.closed', (ctx, { issue: { id, projectId, authorId } }) => {
    const author = action === 'created' ? authorId : doer(ctx, authorId)
    return record(ctx, { projectId, author, action, targetKind: 'issue', issueId: id })
  })

const onMergeRequest = (name: Name & `mergeRequest.${string}`, action: EventAction) =>
  when(name as 'mergeRequest.closed', (ctx, { mergeRequest: { id, projectId, authorId } }) => {
    const author = action === 'created' ? authorId : doer(ctx, authorId)
    return record(ctx, { projectId, author, action, targetKind: 'mergeRequest', mergeRequestId: id })
  })

/** Milestones of groups belong to no project, and so to no activity. */
const onMilestone = (name: Name & `milestone.${string}`, action: EventAction) =>
  when(name as 'milestone.closed', async (ctx, { milestone: { id, projectId } }) => {
    if (projectId === null) return
    await record(ctx, { projectId, author: doer(ctx, null), action, targetKind: 'milestone', milestoneId: id })
  })

/** What people do in projects. Notes on epics and personal snippets belong to none; memberships of groups neither. */
export const activity: readonly Reaction[] = [
  onIssue('issue.opened', 'created'),
  onIssue('issue.closed', 'closed'),
  onIssue('issue.reopened', 'reopened'),
  onMergeRequest('mergeRequest.opened', 'created'),
  onMergeRequest('mergeRequest.closed', 'closed'),
  onMergeRequest('mergeRequest.reopened', 'reopened'),
  onMergeRequest('mergeRequest.merged', 'merged'),
  onMilestone('milestone.opened', 'created'),
  onMilestone('milestone.closed', 'closed'),
  onMilestone('milestone.reopened', 'reopened'),
  when('note.created', async (ctx, { note, target: { kind, id, projectId } }) => {
    if (projectId === null) return
    const base = { projectId, author: note.authorId, action: 'commented', targetKind: 'note', noteId: note.id } as const
    await record(ctx, { ...base, [`${kind}Id`]: id })
  }),
  when('code.pushed', (ctx, { projectId, userId, push }) =>
    record(ctx, { projectId, author: userId, action: 'pushed', push }),
  ),
  when('project.created', (ctx, { project: { id, creatorId } }) =>
    record(ctx, { projectId: id, author: creatorId, action: 'created', targetKind: 'project' }),
  ),
  when('member.joined', async (ctx, { projectId, userId }) => {
    if (projectId !== null) await record(ctx, { projectId, author: userId, action: 'joined' })
  }),
  when('member.left', async (ctx, { projectId, userId, expired }) => {
    if (projectId !== null) await record(ctx, { projectId, author: userId, action: expired ? 'expired' : 'left' })
  }),
]
