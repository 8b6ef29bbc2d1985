import { findNamespace } from '../../../access/namespaces.ts'
import { findProject } from '../../../access/projects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { insertSelected } from '../../../db/insert-selected.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { type IssuableKind, relationTables } from '../../planning/issuables/relations.ts'
import { findLabelIdByName, type LabelScope, toLabelScope } from '../../planning/labels/queries.ts'
import type { ItemState, ResourceState } from './resource-event.ts'

interface Item {
  readonly id: number
  readonly authorId: number
  readonly state: ItemState
  readonly labels: readonly string[]
  /** Epics have no milestone. */
  readonly milestone?: { readonly id: number } | null
  /** Only issues have a weight. */
  readonly weight?: number | null
  readonly createdAt: string
}

/** The project or the group of an item: it can have their labels. */
type Owned = { readonly projectId: number } | { readonly groupId: number }

type ItemKind = IssuableKind | 'epic'

/** The labels of items, and the column that refers to the item. */
const labelLinks = { ...relationTables, epic: { key: 'epicId', labels: 'epicLabel' } } as const

type EventRow = CompleteRow<'resourceEvent'>
type Change = Pick<EventRow, 'kind' | 'action'> & Partial<Pick<EventRow, 'labelId' | 'milestoneId' | 'weight'>>

/** The user and the time of a change. */
interface Origin {
  readonly userId: number | null
  readonly createdAt: string
}

const toKeys = (kind: ItemKind, id: number) => ({
  issueId: kind === 'issue' ? id : null,
  mergeRequestId: kind === 'mergeRequest' ? id : null,
  epicId: kind === 'epic' ? id : null,
})

const insertEvents = async (
  ctx: Context,
  kind: ItemKind,
  { id, state }: Item,
  changes: readonly Change[],
  origin: Origin,
): Promise<void> => {
  if (!changes.length) return
  const rows = changes.map(({ labelId = null, milestoneId = null, weight = null, ...change }) => ({
    ...{ ...toKeys(kind, id), ...origin, ...change },
    labelId,
    milestoneId,
    weight,
    state: change.kind === 'milestone' ? state : null,
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

const findLabelScope = async (ctx: Context, item: Owned): Promise<LabelScope | undefined> => {
  if ('projectId' in item) {
    const project = await findProject(ctx, item.projectId)
    return project && toLabelScope({ kind: 'project', project, access: 0 })
  }
  const group = await findNamespace(ctx, item.groupId)
  return group && toLabelScope({ kind: 'group', group, access: 0, hasVisibleProject: false })
}

const findIds = async (ctx: Context, item: Owned, names: readonly string[]): Promise<readonly number[]> => {
  const scope = names.length ? await findLabelScope(ctx, item) : undefined
  if (!scope) return []
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

const describeWeight = (before: Item['weight'], after: Item['weight']): Change[] =>
  (before ?? null) === (after ?? null)
    ? []
    : [{ kind: 'weight', action: after == null ? 'remove' : 'add', weight: after ?? null }]

/** Records the labels of a new item. */
const recordLabels = async ({ db }: Context, kind: ItemKind, { id }: Item, origin: Origin): Promise<void> => {
  const { key, labels } = labelLinks[kind]
  const keys = toKeys(kind, id)
  const links = db
    .selectFrom(labels as 'issueLabel')
    .where(key as 'issueId', '=', id)
    .orderBy('labelId')
  await insertSelected(db, 'resourceEvent', links, ({ val, ref }) => ({
    issueId: val(keys.issueId),
    mergeRequestId: val(keys.mergeRequestId),
    epicId: val(keys.epicId),
    userId: val(origin.userId),
    createdAt: val(origin.createdAt),
    kind: val('label' as const),
    action: val('add' as const),
    labelId: ref('labelId'),
    milestoneId: val(null),
    weight: val(null),
    state: val(null),
  })).execute()
}

/** Records the labels, the milestone and the weight of a new item. */
const recordCreation = async (ctx: Context, kind: ItemKind, item: Item): Promise<void> => {
  const origin = { userId: item.authorId, createdAt: item.createdAt }
  await awaitAll([
    item.labels.length ? recordLabels(ctx, kind, item, origin) : undefined,
    insertEvents(
      ctx,
      kind,
      item,
      [...describeMilestones(null, item.milestone), ...describeWeight(null, item.weight)],
      origin,
    ),
  ])
}

const recordUpdate = async (ctx: Context, kind: ItemKind, before: Item & Owned, after: Item & Owned): Promise<void> => {
  const removed = before.labels.filter((name) => !after.labels.includes(name))
  const added = after.labels.filter((name) => !before.labels.includes(name))
  const [removedIds, addedIds] = await awaitAll([findIds(ctx, before, removed), findIds(ctx, after, added)])
  const changes: Change[] = [
    ...removedIds.map((labelId) => ({ kind: 'label', action: 'remove', labelId }) as const),
    ...addedIds.map((labelId) => ({ kind: 'label', action: 'add', labelId }) as const),
    ...describeMilestones(before.milestone, after.milestone),
    ...describeWeight(before.weight, after.weight),
  ]
  await insertEvents(ctx, kind, after, changes, getOrigin(ctx))
}

const recordState = (ctx: Context, kind: ItemKind, item: Item, action: ResourceState): Promise<void> =>
  insertEvents(ctx, kind, item, [{ kind: 'state', action }], getOrigin(ctx))

/** Record the changes of labels, milestones, states and weights. */
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
  defineReaction('epic.opened', (ctx, { epic }) => recordCreation(ctx, 'epic', epic)),
  defineReaction('epic.updated', (ctx, { before, after }) => recordUpdate(ctx, 'epic', before, after)),
  defineReaction('epic.closed', (ctx, { epic }) => recordState(ctx, 'epic', epic, 'closed')),
  defineReaction('epic.reopened', (ctx, { epic }) => recordState(ctx, 'epic', epic, 'reopened')),
  defineReaction('mergeRequest.merged', (ctx, { mergeRequest }) =>
    recordState(ctx, 'mergeRequest', mergeRequest, 'merged'),
  ),
]
