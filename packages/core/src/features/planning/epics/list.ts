import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import * as v from 'valibot'
import { withGrants } from '../../../access/grants.ts'
import { readableEpics } from '../../../access/predicates.ts'
import type { Database } from '../../../contract/database.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { lower, matchesSearch } from '../../../db/functions.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { Id, Instant, mutuallyExclusive, normalizeInstant, Sort } from '../../../kernel/inputs.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { parseSearchText } from '../../../kernel/search-text.ts'
import { isAny, isNone } from '../issuables/filters.ts'
import { withLabelDetails } from '../issuables/label-details.ts'
import type { Epic, EpicRecord } from './epic.ts'
import { completeEpics, epicColumns } from './queries.ts'

const matchingInput = {
  /** User id of the author. Cannot be combined with `authorUsername`. */
  authorId: v.optional(Id),
  /** Username of the author, case-insensitive. Cannot be combined with `authorId`. */
  authorUsername: v.optional(v.string()),
  /** Names of labels, at most 50, all of which an epic must have. */
  labels: v.optional(v.pipe(v.array(v.string()), v.maxLength(50))),
  /** Name of an emoji that the current user has given. `None`: no emoji of the current user, `Any`: at least one. */
  myReactionEmoji: v.optional(v.string()),
}

export const listInput = {
  ...pagingEntries,
  ...matchingInput,
  /** Only open or only closed epics. Default: `all`. */
  state: v.optional(v.picklist(['opened', 'closed', 'all']), 'all'),
  /** Excludes epics that match any of these filters; each label counts separately. */
  not: v.optional(v.strictObject(matchingInput), {}),
  /** Words that the title or the description contains, in any order; at most 1,024 characters and 64 words. */
  search: v.optional(v.string(), ''),
  /** Only epics with these numbers, at most 1,000. An empty list is ignored. */
  iids: v.optional(v.pipe(v.array(Id), v.maxLength(1_000))),
  /** Only epics created at or after this time; ISO 8601, UTC without an offset. */
  createdAfter: v.optional(Instant),
  /** Only epics created at or before this time; ISO 8601, UTC without an offset. */
  createdBefore: v.optional(Instant),
  /** Only epics changed at or after this time; ISO 8601, UTC without an offset. */
  updatedAfter: v.optional(Instant),
  /** Only epics last changed at or before this time; ISO 8601, UTC without an offset. */
  updatedBefore: v.optional(Instant),
  /** Whether to include epics of the groups above. Default: false. */
  includeAncestorGroups: v.optional(v.boolean(), false),
  /** Whether to include epics of the subgroups. Default: true. */
  includeDescendantGroups: v.optional(v.boolean(), true),
  /** Whether to return the labels with their colors and descriptions in `labelDetails`. Default: false. */
  withLabelsDetails: v.optional(v.boolean(), false),
  /** Value to sort by; equal values are sorted by id. Default: `created_at`. */
  orderBy: v.optional(v.picklist(['created_at', 'updated_at', 'title']), 'created_at'),
  /** Direction of the order. Default: `desc`, newest first. */
  sort: v.optional(Sort, 'desc'),
}

type ListInput = v.InferOutput<v.ObjectSchema<typeof listInput, undefined>>

export const listRules = [mutuallyExclusive<ListInput>('authorId', 'authorUsername')]

const sortColumns = { created_at: 'epic.createdAt', updated_at: 'epic.updatedAt', title: 'epic.title' } as const

const timeFilters = [
  ['createdAfter', 'epic.createdAt', '>='],
  ['createdBefore', 'epic.createdAt', '<='],
  ['updatedAfter', 'epic.updatedAt', '>='],
  ['updatedBefore', 'epic.updatedAt', '<='],
] as const

/** The epics of the groups of a list. */
const selectEpics = (ctx: Context, groupId: number, input: ListInput) => {
  const lineage = ctx.db.selectFrom('namespaceLineage')
  return ctx.db
    .selectFrom('epic')
    .innerJoin('namespace', 'namespace.id', 'epic.groupId')
    .where((eb) =>
      eb.or([
        eb('epic.groupId', '=', groupId),
        ...(input.includeDescendantGroups
          ? [eb('epic.groupId', 'in', lineage.where('ancestorId', '=', groupId).select('namespaceId'))]
          : []),
        ...(input.includeAncestorGroups
          ? [eb('epic.groupId', 'in', lineage.where('namespaceId', '=', groupId).select('ancestorId'))]
          : []),
      ]),
    )
}

const selectEpicsWithLabel = (ctx: Context, name: string) =>
  ctx.db
    .selectFrom('epicLabel')
    .innerJoin('label', 'label.id', 'epicLabel.labelId')
    .where('label.name', '=', name)
    .select('epicLabel.epicId')

const selectUsers = (ctx: Context, username: string) =>
  ctx.db.selectFrom('user').where(lower('username'), '=', username.toLowerCase()).select('id')

const selectEpicsWithReaction = (ctx: Context, emoji: string) => {
  const awards = ctx.db
    .selectFrom('awardEmoji')
    .where('userId', '=', getUserId(ctx.actor))
    .where('epicId', 'is not', null)
    .select('epicId')
    .$castTo<{ epicId: number }>()
  return isNone(emoji) || isAny(emoji) ? awards : awards.where('name', '=', emoji)
}

type Matching = Pick<ListInput, keyof typeof matchingInput>

/** The filters that can be negated, each as one condition. */
const matchEpics =
  (ctx: Context, { authorId, authorUsername, labels = [], myReactionEmoji }: Matching) =>
  (eb: ExpressionBuilder<Database, 'epic'>): Expression<SqlBool>[] => [
    ...(authorId === undefined ? [] : [eb('epic.authorId', '=', authorId)]),
    ...(authorUsername === undefined ? [] : [eb('epic.authorId', 'in', selectUsers(ctx, authorUsername))]),
    ...labels.map((name) => eb('epic.id', 'in', selectEpicsWithLabel(ctx, name))),
    ...(myReactionEmoji === undefined || myReactionEmoji === ''
      ? []
      : [eb('epic.id', isNone(myReactionEmoji) ? 'not in' : 'in', selectEpicsWithReaction(ctx, myReactionEmoji))]),
  ]

/** A page of the epics that the current user can read. */
export async function listEpics(ctx: Context, input: ListInput, { group }: Subjects['group']): Promise<Page<Epic>> {
  const { state, not, search, iids, orderBy, sort } = input
  let rows = selectEpics(ctx, group.id, input).where(readableEpics(await withGrants(ctx)))
  if (state !== 'all') rows = rows.where('epic.state', '=', state)
  rows = rows.where((eb) => eb.and(matchEpics(ctx, input)(eb)))
  rows = rows.where((eb) => eb.not(eb.or(matchEpics(ctx, not)(eb))))
  if (iids?.length) rows = rows.where('epic.iid', 'in', iids)
  for (const [name, column, operator] of timeFilters) {
    const instant = input[name]
    if (instant !== undefined) rows = rows.where(column, operator, normalizeInstant(instant))
  }
  const found = matchesSearch(ctx.dialect, ['epic.title', 'epic.description'], parseSearchText(search))
  if (found) rows = rows.where(found)
  const ordered = rows.orderBy(sortColumns[orderBy], sort).orderBy('epic.id', sort).select(epicColumns)
  const page = await paginate(ordered, input, (row): EpicRecord => row)
  const items = await completeEpics(ctx, page.items)
  return { ...page, items: input.withLabelsDetails ? await withLabelDetails(ctx, 'epic', items) : items }
}
