import type { Context } from '../../../kernel/context.ts'
import { subscriptionProjectId } from '../../planning/labels/queries.ts'
import { selectMembers } from '../../spaces/members/queries.ts'
import { toNoteKey, toNoteTarget } from '../notes/noteable.ts'
import { type NotifiableEvent, type NotificationReason, relabelEvent } from './notification-setting.ts'
import { getContainer, getScope, isIssuable, isSubscribable, type NotificationTarget } from './target.ts'

/** Reasons by user id. */
export type Candidates = Map<number, Set<NotificationReason>>

const addReason = (candidates: Candidates, reason: NotificationReason, userIds: Iterable<number>) => {
  for (const id of userIds) candidates.set(id, (candidates.get(id) ?? new Set()).add(reason))
}

const findAssignees = async (ctx: Context, target: NotificationTarget): Promise<number[]> => {
  if (!isIssuable(target)) return []
  const rows =
    target.kind === 'issue'
      ? await ctx.db.selectFrom('issueAssignee').where('issueId', '=', target.issue.id).select('userId').execute()
      : await ctx.db
          .selectFrom('mergeRequestAssignee')
          .where('mergeRequestId', '=', target.mergeRequest.id)
          .select('userId')
          .execute()
  return rows.map(({ userId }) => userId)
}

const findCommitCommenters = async (ctx: Context, projectId: number, sha: string): Promise<number[]> => {
  const rows = await ctx.db
    .selectFrom('commitComment')
    .where('projectId', '=', projectId)
    .where('sha', '=', sha)
    .select('authorId')
    .distinct()
    .execute()
  return rows.map(({ authorId }) => authorId)
}

/** The author, commenters, reviewers and users who were mentioned. */
const findParticipants = async (ctx: Context, target: NotificationTarget): Promise<number[]> => {
  if (target.kind === 'pipeline') return target.pipeline.userId === null ? [] : [target.pipeline.userId]
  if (target.kind === 'commitComment') return findCommitCommenters(ctx, target.project.id, target.comment.sha)
  const { column, id } = toNoteKey(target)
  const commenters = await ctx.db
    .selectFrom('note')
    .where(`note.${column}`, '=', id)
    .where('system', '=', false)
    .select('authorId')
    .distinct()
    .execute()
  const participants = [toNoteTarget(target).authorId, ...commenters.map((row) => row.authorId)]
  if (column === 'snippetId') return participants
  const mentioned = await ctx.db
    .selectFrom('todo')
    .where(`todo.${column}`, '=', id)
    .where('action', 'in', ['mentioned', 'directly_addressed'])
    .select('userId')
    .distinct()
    .execute()
  const reviewers = await ctx.db
    .selectFrom('mergeRequestReviewer')
    .where('mergeRequestId', '=', column === 'mergeRequestId' ? id : 0)
    .select('userId')
    .execute()
  return [...participants, ...[...mentioned, ...reviewers].map(({ userId }) => userId)]
}

/** The choices of users who subscribed to an issue, a merge request or an epic or unsubscribed from it, by user id. */
export async function findSubscriptions(
  ctx: Context,
  target: NotificationTarget,
): Promise<ReadonlyMap<number, boolean>> {
  if (!isSubscribable(target)) return new Map()
  const { id } = toNoteKey(target)
  const rows = await ctx.db
    .selectFrom('subscription')
    .where(`${target.kind}Id`, '=', id)
    .select(['userId', 'subscribed'])
    .execute()
  return new Map(rows.map(({ userId, subscribed }) => [userId, subscribed]))
}

/** Labels by their ids or names. */
export type LabelReferences = readonly (number | string)[]

/** Users who subscribed to a label of the target, or to those of `labels` among them, in the target's project or a group. */
const findLabelSubscribers = async (
  ctx: Context,
  target: NotificationTarget,
  labels: LabelReferences | undefined,
): Promise<number[]> => {
  if (!isIssuable(target)) return []
  const labelIds =
    target.kind === 'issue'
      ? ctx.db.selectFrom('issueLabel').where('issueId', '=', target.issue.id).select('labelId')
      : ctx.db.selectFrom('mergeRequestLabel').where('mergeRequestId', '=', target.mergeRequest.id).select('labelId')
  const rows = await ctx.db
    .selectFrom('labelSubscription')
    .innerJoin('label', 'label.id', 'labelSubscription.labelId')
    .where('labelSubscription.labelId', 'in', labelIds)
    .where((eb) => eb(subscriptionProjectId(eb), 'in', [eb.lit(0), eb.val(target.project.id)]))
    .select(['labelSubscription.userId', 'label.id', 'label.name'])
    .execute()
  return rows
    .filter((row) => labels?.some((ref) => ref === row.id || ref === row.name) ?? true)
    .map((row) => row.userId)
}

/** Users with level `watch` or `custom` for the project or an ancestor group, and members with such a global level. */
const findWatchers = async (ctx: Context, target: NotificationTarget): Promise<number[]> => {
  const container = getContainer(target)
  // Only the user of a pipeline is notified of it. Nobody watches personal snippets.
  if (target.kind === 'pipeline' || container === undefined) return []
  const { projectId, namespaceId } = getScope(target)
  const ancestors = ctx.db.selectFrom('namespaceLineage').where('namespaceId', '=', namespaceId).select('ancestorId')
  const watching = ctx.db.selectFrom('notificationSetting').where('level', 'in', ['watch', 'custom']).select('userId')
  const atTarget = await watching
    .where((eb) => eb.or([eb('projectId', '=', projectId ?? 0), eb('groupId', 'in', ancestors)]))
    .distinct()
    .execute()
  const globalWatchers = watching.where('projectId', 'is', null).where('groupId', 'is', null)
  const members = await selectMembers(ctx, container, globalWatchers).execute()
  return [...atTarget.map(({ userId }) => userId), ...members.map(({ id }) => id)]
}

/** Events that assign labels to their target, of which the subscribers of these labels are notified. */
const labelingEvents: readonly NotifiableEvent[] = ['newIssue', 'newMergeRequest', relabelEvent]

interface CandidatesOptions {
  readonly event: NotifiableEvent
  readonly mentioned: readonly number[]
  /** Users who took part in the past, such as former assignees. */
  readonly former: readonly number[]
  /** Whether only the mentioned users are concerned. */
  readonly onlyMentioned: boolean
  readonly labels: LabelReferences | undefined
  /** See `findSubscriptions`. */
  readonly subscriptions: ReadonlyMap<number, boolean>
}

/** All users that an event may concern, regardless of their settings. Added labels concern only their subscribers. */
export async function findCandidates(
  ctx: Context,
  target: NotificationTarget,
  { event, mentioned, former, onlyMentioned, labels, subscriptions }: CandidatesOptions,
): Promise<Candidates> {
  const candidates: Candidates = new Map()
  if (onlyMentioned) {
    addReason(candidates, 'mentioned', mentioned)
    return candidates
  }
  if (labelingEvents.includes(event)) {
    addReason(candidates, 'subscribed', await findLabelSubscribers(ctx, target, labels))
  }
  if (event === relabelEvent) return candidates
  addReason(candidates, 'mentioned', mentioned)
  addReason(candidates, 'assigned', await findAssignees(ctx, target))
  addReason(candidates, 'participating', former)
  addReason(candidates, 'participating', await findParticipants(ctx, target))
  for (const [userId, subscribed] of subscriptions) if (subscribed) addReason(candidates, 'subscribed', [userId])
  addReason(candidates, 'watching', await findWatchers(ctx, target))
  return candidates
}
