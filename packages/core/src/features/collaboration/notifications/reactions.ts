import type { Signals } from '../../../contract/signals.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { findMentions } from '../../../ports/markdown/mentions.ts'
import { sendsMail } from '../../administration/mail/compose-mail.ts'
import { selectOpenFrom } from '../merge-requests/queries.ts'
import type { NotifiableEvent } from '../notification-settings/notification-setting.ts'
import type { NotificationRequest } from './notification.ts'
import { requestNotifications } from './request.ts'

type Target = NotificationRequest['target']

const toIssue = ({ id }: { readonly id: number }): Target => ({ kind: 'issue', id })
const toMergeRequest = ({ id }: { readonly id: number }): Target => ({ kind: 'mergeRequest', id })

const findNames = (ctx: Context, text: string | null, before?: string | null): readonly string[] =>
  sendsMail(ctx) && text !== null && text !== before ? findMentions(text, before ?? '').map(({ name }) => name) : []

/** The host acts for the author of a new item. */
const toActorId = (ctx: Context, authorId: number) => getUserId(ctx.actor) || authorId

interface Changed {
  readonly id: number
  readonly description: string | null
  readonly labels: readonly string[]
  readonly assignees: readonly { readonly id: number }[]
}

interface IssuableEvents {
  readonly opened: NotifiableEvent
  readonly reassigned: NotifiableEvent
}

/** New assignees, labels and mentions notify separately, as in GitLab. */
const notifyOfChanges = async (
  ctx: Context,
  target: Target,
  before: Changed,
  after: Changed,
  { opened, reassigned }: IssuableEvents,
) => {
  const former = before.assignees.filter(({ id }) => !after.assignees.some((one) => one.id === id))
  const isReassigned = former.length > 0 || after.assignees.length !== before.assignees.length
  if (isReassigned) await requestNotifications(ctx, reassigned, target, { former: former.map(({ id }) => id) })
  const labels = after.labels.filter((name) => !before.labels.includes(name))
  if (labels.length) await requestNotifications(ctx, 'relabel', target, { labels })
  const mentions = findNames(ctx, after.description, before.description)
  if (mentions.length) await requestNotifications(ctx, opened, target, { mentions, onlyMentioned: true })
}

/** Whether the last pipeline of the same branch or tag that has ended before failed. */
const isFixed = async ({ db }: Context, { id, projectId, ref }: Signals['pipeline.changed']['pipeline']) => {
  const previous = await db
    .selectFrom('pipeline')
    .where('projectId', '=', projectId)
    .where('ref', '=', ref)
    .where('id', '<', id)
    .where('status', 'in', ['success', 'failed'])
    .where('source', '<>', 'parent_pipeline')
    .orderBy('id', 'desc')
    .limit(1)
    .select('status')
    .executeTakeFirst()
  return previous?.status === 'failed'
}

const issueEvents = { opened: 'newIssue', reassigned: 'reassignIssue' } as const
const mergeRequestEvents = { opened: 'newMergeRequest', reassigned: 'reassignMergeRequest' } as const

/** Which domain event notifies users of which event. */
export const notificationReactions: readonly Reaction[] = [
  defineReaction('issue.opened', (ctx, { issue }) =>
    requestNotifications(ctx, 'newIssue', toIssue(issue), {
      mentions: findNames(ctx, issue.description),
      actorId: toActorId(ctx, issue.authorId),
    }),
  ),
  defineReaction('issue.updated', (ctx, { before, after }) =>
    notifyOfChanges(ctx, toIssue(after), before, after, issueEvents),
  ),
  defineReaction('issue.closed', (ctx, { issue }) => requestNotifications(ctx, 'closeIssue', toIssue(issue))),
  defineReaction('issue.reopened', (ctx, { issue }) => requestNotifications(ctx, 'reopenIssue', toIssue(issue))),
  defineReaction('mergeRequest.opened', (ctx, { mergeRequest }) =>
    requestNotifications(ctx, 'newMergeRequest', toMergeRequest(mergeRequest), {
      mentions: findNames(ctx, mergeRequest.description),
      actorId: toActorId(ctx, mergeRequest.authorId),
    }),
  ),
  defineReaction('mergeRequest.updated', (ctx, { before, after }) =>
    notifyOfChanges(ctx, toMergeRequest(after), before, after, mergeRequestEvents),
  ),
  defineReaction('mergeRequest.closed', (ctx, { mergeRequest }) =>
    requestNotifications(ctx, 'closeMergeRequest', toMergeRequest(mergeRequest)),
  ),
  defineReaction('mergeRequest.reopened', (ctx, { mergeRequest }) =>
    requestNotifications(ctx, 'reopenMergeRequest', toMergeRequest(mergeRequest)),
  ),
  defineReaction('mergeRequest.merged', (ctx, { mergeRequest }) =>
    requestNotifications(ctx, 'mergeMergeRequest', toMergeRequest(mergeRequest)),
  ),
  defineReaction('epic.opened', (ctx, { epic: { id, description, authorId } }) =>
    requestNotifications(
      ctx,
      'newEpic',
      { kind: 'epic', id },
      {
        mentions: findNames(ctx, description),
        actorId: toActorId(ctx, authorId),
      },
    ),
  ),
  defineReaction('note.created', (ctx, { note, target: { kind, id } }) =>
    requestNotifications(
      ctx,
      'newNote',
      { kind, id },
      {
        note: note.id,
        mentions: findNames(ctx, note.body),
        actorId: toActorId(ctx, note.authorId),
      },
    ),
  ),
  defineReaction('commitComment.created', (ctx, { comment: { id, body, authorId } }) =>
    requestNotifications(
      ctx,
      'newNote',
      { kind: 'commitComment', id },
      {
        mentions: findNames(ctx, body),
        actorId: toActorId(ctx, authorId),
      },
    ),
  ),
  defineReaction('code.pushed', async (ctx, { projectId, userId, push: { refType, ref, action }, cause }) => {
    if (!sendsMail(ctx) || refType !== 'branch' || action !== 'pushed' || cause !== null) return
    for (const row of await selectOpenFrom(ctx, projectId, ref).select('mergeRequest.id').execute())
      await requestNotifications(ctx, 'pushToMergeRequest', toMergeRequest(row), { actorId: userId })
  }),
  defineReaction('pipeline.changed', async (ctx, { pipeline, before }) => {
    const { id, status, source, user } = pipeline
    if (!sendsMail(ctx) || user === null || status === before || source === 'parent_pipeline') return
    if (status !== 'failed' && status !== 'success') return
    const succeeded = status === 'success' && ((await isFixed(ctx, pipeline)) ? 'fixedPipeline' : 'successPipeline')
    // Also the user who has started it.
    await requestNotifications(ctx, succeeded || 'failedPipeline', { kind: 'pipeline', id }, { actorId: null })
  }),
]
