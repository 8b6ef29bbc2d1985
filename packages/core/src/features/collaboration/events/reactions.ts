import type { Signals } from '../../../contract/signals.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { type EventAction, type EventTargetKind, type PushEventData, summarizePushes } from './event.ts'

interface NewEvent {
  readonly projectId: number
  /** Null if the host acts without naming a user: no event is recorded. */
  readonly authorId: number | null
  readonly action: EventAction
  readonly targetKind?: EventTargetKind
  readonly issueId?: number
  readonly mergeRequestId?: number
  readonly milestoneId?: number
  readonly snippetId?: number | null
  readonly noteId?: number
  readonly internal?: boolean
  readonly push?: PushEventData
}

/** Sets the time of the last activity of a project, at most once an hour. */
const recordActivity = ({ db, now }: Context, projectId: number) =>
  db
    .updateTable('project')
    .set({ lastActivityAt: now })
    .where('id', '=', projectId)
    .where('lastActivityAt', '<', addSeconds(now, -3_600))
    .execute()

async function insertEvent(ctx: Context, { authorId, ...event }: NewEvent): Promise<void> {
  if (authorId === null) return
  const insertion = ctx.db
    .insertInto('event')
    .values({
      targetKind: null,
      issueId: null,
      mergeRequestId: null,
      milestoneId: null,
      snippetId: null,
      noteId: null,
      internal: false,
      push: null,
      ...event,
      authorId,
      createdAt: ctx.now,
    } satisfies CompleteRow<'event'>)
    .execute()
  await awaitAll([insertion, recordActivity(ctx, event.projectId)])
}

/** The host acts without a user; its events belong to `fallback`, usually the author of the target. */
const getActingUserId = ({ actor }: Context, fallback: number | null) => (actor.kind === 'user' ? actor.id : fallback)

type SignalName = keyof Signals

const createIssueReaction = (name: SignalName & `issue.${string}`, action: EventAction) =>
  defineReaction(name as 'issue.closed', (ctx, { issue: { id, projectId, authorId } }) => {
    const author = action === 'created' ? authorId : getActingUserId(ctx, authorId)
    return insertEvent(ctx, { projectId, authorId: author, action, targetKind: 'issue', issueId: id })
  })

const createMergeRequestReaction = (name: SignalName & `mergeRequest.${string}`, action: EventAction) =>
  defineReaction(name as 'mergeRequest.closed', (ctx, { mergeRequest: { id, projectId, authorId } }) => {
    const author = action === 'created' ? authorId : getActingUserId(ctx, authorId)
    return insertEvent(ctx, { projectId, authorId: author, action, targetKind: 'mergeRequest', mergeRequestId: id })
  })

/** Group milestones have no project and therefore no events. */
const createMilestoneReaction = (name: SignalName & `milestone.${string}`, action: EventAction) =>
  defineReaction(name as 'milestone.closed', async (ctx, { milestone: { id, projectId } }) => {
    if (projectId === null) return
    await insertEvent(ctx, {
      projectId,
      authorId: getActingUserId(ctx, null),
      action,
      targetKind: 'milestone',
      milestoneId: id,
    })
  })

/** Record the activity in projects. Notes on epics and personal snippets and group memberships have no project. */
export const eventReactions: readonly Reaction[] = [
  createIssueReaction('issue.opened', 'created'),
  createIssueReaction('issue.closed', 'closed'),
  createIssueReaction('issue.reopened', 'reopened'),
  createMergeRequestReaction('mergeRequest.opened', 'created'),
  createMergeRequestReaction('mergeRequest.closed', 'closed'),
  createMergeRequestReaction('mergeRequest.reopened', 'reopened'),
  createMergeRequestReaction('mergeRequest.merged', 'merged'),
  createMilestoneReaction('milestone.opened', 'created'),
  createMilestoneReaction('milestone.closed', 'closed'),
  createMilestoneReaction('milestone.reopened', 'reopened'),
  defineReaction('note.created', async (ctx, { note, target: { kind, id, projectId } }) => {
    if (projectId === null) return
    const base = {
      projectId,
      authorId: note.authorId,
      action: 'commented',
      targetKind: 'note',
      noteId: note.id,
      internal: note.internal,
    } as const
    await insertEvent(ctx, { ...base, [`${kind}Id`]: id })
  }),
  defineReaction('code.pushed', async (ctx, { projectId, userId, push, volume: { activityCount } }) => {
    if (activityCount === 0) return
    const event = activityCount === 1 ? { ...push, refCount: null } : summarizePushes(push, activityCount)
    await insertEvent(ctx, { projectId, authorId: userId, action: 'pushed', push: event })
  }),
  defineReaction('project.created', (ctx, { project: { id, creatorId } }) =>
    insertEvent(ctx, { projectId: id, authorId: creatorId, action: 'created', targetKind: 'project' }),
  ),
  defineReaction('member.joined', async (ctx, { projectId, userId }) => {
    if (projectId !== null) await insertEvent(ctx, { projectId, authorId: userId, action: 'joined' })
  }),
  defineReaction('member.left', async (ctx, { projectId, userId, expired }) => {
    if (projectId !== null)
      await insertEvent(ctx, { projectId, authorId: userId, action: expired ? 'expired' : 'left' })
  }),
]
