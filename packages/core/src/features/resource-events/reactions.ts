import { findProject } from '../../access/projects.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import { insertSelected } from '../../db/insert-selected.ts'
import { awaitAll } from '../../kernel/await-all.ts'
import type { Context } from '../../kernel/context.ts'
import { defineReaction, type Reaction } from '../../kernel/reaction.ts'
import { type IssuableKind, relationTables } from '../issuables/relations.ts'
import { findLabelIdByName, toLabelScope } from '../labels/queries.ts'
import type { ResourceState } from './resource-event.ts'

interface Item {
  readonly id: number
  readonly projectId: number
  readonly authorId: number
  readonly labels: readonly string[]
  readonly milestone: { readonly id: number } | null
  readonly createdAt: string
}

type EventRow = CompleteRow<'resourceEvent'>
type Change = Pick<EventRow, 'kind' | 'action'> & Partial<Pick<EventRow, 'labelId' | 'milestoneId'>>

/** The user and the time of a change. */
interface Origin {
  readonly userId: number | null
  readonly createdAt: string
}

const insertEvents = async (
  ctx: Context,
  itemKind: IssuableKind,
  { id }: Item,
  changes: readonly Change[],
  origin: Origin,
): Promise<void> => {
  if (!changes.length) return
  const keys = itemKind === 'issue' ? { issueId: id, mergeRequestId: null } : { issueId: null, mergeRequestId: id }
  const rows = changes.map(({ labelId = null, milestoneId = null, ...change }) => ({
    ...{ ...keys, ...origin, ...change },
    labelId,
    milestoneId,
  }))
  await ctx.db
    .insertInto('resourceEvent')
    .values(rows satisfies CompleteRow<'resourceEvent'>[])
    .execute()
}

const getOrigin = ({ actor, now }: Context): Origin => ({
  userId: actor.kind === 'user' ? actor.id : null,
  createdAt: now,
})

const findIds = async (ctx: Context, { projectId }: Item, names: readonly string[]): Promise<readonly number[]> => {
  const project = names.length ? await findProject(ctx, projectId) : undefined
  if (!project) return []
  const scope = toLabelScope({ kind: 'project', project, access: 0 })
  const ids = await awaitAll(names.map((name) => findLabelIdByName(ctx, scope, name)))
  return ids.filter((id) => id !== undefined)
}

const describeMilestones = (before: Item['milestone'], after: Item['milestone']): Change[] =>
  before?.id === after?.id
    ? []
    : [
        ...(before ? [{ kind: 'milestone', action: 'remove', milestoneId: before.id } as const] : []),
        ...(after ? [{ kind: 'milestone', action: 'add', milestoneId: after.id } as const] : []),
      ]

/** Records the labels of a new item. */
const recordLabels = async ({ db }: Context, kind: IssuableKind, { id }: Item, origin: Origin): Promise<void> => {
  const { key, labels } = relationTables[kind]
  const links = db
    .selectFrom(labels as 'issueLabel')
    .where(key as 'issueId', '=', id)
    .orderBy('labelId')
  await insertSelected(db, 'resourceEvent', links, ({ val, ref }) => ({
    issueId: val(kind === 'issue' ? id : null),
    mergeRequestId: val(kind === 'issue' ? null : id),
    userId: val(origin.userId),
    createdAt: val(origin.createdAt),
    kind: val('label' as const),
    action: val('add' as const),
    labelId: ref('labelId'),
    milestoneId: val(null),
  })).execute()
}

/** Records the labels and the milestone of a new item. */
const recordCreation = async (ctx: Context, kind: IssuableKind, item: Item): Promise<void> => {
  const origin = { userId: item.authorId, createdAt: item.createdAt }
  await awaitAll([
    item.labels.length ? recordLabels(ctx, kind, item, origin) : undefined,
    insertEvents(ctx, kind, item, describeMilestones(null, item.milestone), origin),
  ])
}

const recordUpdate = async (ctx: Context, kind: IssuableKind, before: Item, after: Item): Promise<void> => {
  const removed = before.labels.filter((name) => !after.labels.includes(name))
  const added = after.labels.filter((name) => !before.labels.includes(name))
  const [removedIds, addedIds] = await awaitAll([findIds(ctx, before, removed), findIds(ctx, after, added)])
  const changes: Change[] = [
    ...removedIds.map((labelId) => ({ kind: 'label', action: 'remove', labelId }) as const),
    ...addedIds.map((labelId) => ({ kind: 'label', action: 'add', labelId }) as const),
    ...describeMilestones(before.milestone, after.milestone),
  ]
  await insertEvents(ctx, kind, after, changes, getOrigin(ctx))
}

const recordState = (ctx: Context, kind: IssuableKind, item: Item, action: ResourceState): Promise<void> =>
  insertEvents(ctx, kind, item, [{ kind: 'state', action }], getOrigin(ctx))

/** Record the changes of labels, milestones and states. */
export const resourceEventReactions: readonly Reaction[] = [
  defineReaction('issue.opened', (ctx, { issue }) => recordCreation(ctx, 'issue', issue)),
  defineReaction('issue.updated', (ctx, { before, after }) => recordUpdate(ctx, 'issue', before, after)),
  defineReaction('issue.closed', (ctx, { issue }) => recordState(ctx, 'issue', issue, 'closed')),
  defineReaction('issue.reopened', (ctx, { issue }) => recordState(ctx, 'issue', issue, 'reopened')),
  defineReaction('mergeRequest.opened', (ctx, { mergeRequest }) => recordCreation(ctx, 'mergeRequest', mergeRequest)),
  defineReaction('mergeRequest.updated', (ctx, { before, after }) => recordUpdate(ctx, 'mergeRequest', before, after)),
  defineReaction('mergeRequest.closed', (ctx, { mergeRequest }) =>
    recordState(ctx, 'mergeRequest', mergeRequest, 'closed'),
  ),
  defineReaction('mergeRequest.reopened', (ctx, { mergeRequest }) =>
    recordState(ctx, 'mergeRequest', mergeRequest, 'reopened'),
  ),
  defineReaction('mergeRequest.merged', (ctx, { mergeRequest }) =>
    recordState(ctx, 'mergeRequest', mergeRequest, 'merged'),
  ),
]
