import * as v from 'valibot'
import { withGrants } from '../../access/grants.ts'
import { readableEpics } from '../../access/predicates.ts'
import type { Subjects } from '../../contract/subjects.ts'
import { lower, matchesSearch } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { Id, Instant, mutuallyExclusive, normalizeInstant, Sort } from '../../kernel/inputs.ts'
import { type Page, paginate, pagingEntries } from '../../kernel/paging.ts'
import { parseSearchText } from '../../shared/search-text.ts'
import type { Epic, EpicRecord } from './epic.ts'
import { completeEpics, epicColumns } from './queries.ts'

export const listInput = {
  ...pagingEntries,
  /** Only open or only closed epics. Default: `all`. */
  state: v.optional(v.picklist(['opened', 'closed', 'all']), 'all'),
  /** User id of the author. Cannot be combined with `authorUsername`. */
  authorId: v.optional(Id),
  /** Username of the author, case-insensitive. Cannot be combined with `authorId`. */
  authorUsername: v.optional(v.string()),
  /** Names of labels, at most 50, all of which an epic must have. */
  labels: v.optional(v.pipe(v.array(v.string()), v.maxLength(50))),
  /** Words that the title or the description contains, in any order; at most 1,024 characters and 8 words. */
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

/** A page of the epics that the caller can read. */
export async function listEpics(ctx: Context, input: ListInput, { group }: Subjects['group']): Promise<Page<Epic>> {
  const { state, authorId, authorUsername, labels = [], search, iids, orderBy, sort } = input
  let rows = selectEpics(ctx, group.id, input).where(readableEpics(await withGrants(ctx)))
  if (state !== 'all') rows = rows.where('epic.state', '=', state)
  if (authorId !== undefined) rows = rows.where('epic.authorId', '=', authorId)
  if (authorUsername !== undefined) rows = rows.where('epic.authorId', 'in', selectUsers(ctx, authorUsername))
  if (iids?.length) rows = rows.where('epic.iid', 'in', iids)
  for (const name of labels) rows = rows.where('epic.id', 'in', selectEpicsWithLabel(ctx, name))
  for (const [name, column, operator] of timeFilters) {
    const instant = input[name]
    if (instant !== undefined) rows = rows.where(column, operator, normalizeInstant(instant))
  }
  const found = matchesSearch(ctx.dialect, ['epic.title', 'epic.description'], parseSearchText(search))
  if (found) rows = rows.where(found)
  const ordered = rows.orderBy(sortColumns[orderBy], sort).orderBy('epic.id', sort).select(epicColumns)
  const page = await paginate(ordered, input, (row): EpicRecord => row)
  return { ...page, items: await completeEpics(ctx, page.items) }
}
