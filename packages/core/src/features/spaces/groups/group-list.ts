import type { ExpressionBuilder } from 'kysely'
import * as v from 'valibot'
import { directProjectIdsWithAccess, groupIdsWithAccess } from '../../../access/access-conditions.ts'
import { customAttributesFilter, matchCustomAttributes } from '../../../access/custom-attributes.ts'
import { Access, minimumLevels, visibilities } from '../../../access/levels.ts'
import { groupColumns } from '../../../access/namespaces.ts'
import { readableGroups } from '../../../access/predicates.ts'
import type { Database } from '../../../contract/database.ts'
import type { Group } from '../../../contract/namespace.ts'
import { jsonText, matchesSearch } from '../../../db/functions.ts'
import { rateSimilarity } from '../../../db/rate-similarity.ts'
import { isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { DateOnly, Id, Sort } from '../../../kernel/inputs.ts'
import { keysetEntries, listSortKeys, type Page, paginateByKeys, type SortKey } from '../../../kernel/paging.ts'
import { parseSearchText } from '../../../kernel/search-text.ts'
import type { GroupRecord } from './group-record.ts'
import { loadGroupRecords } from './group-record-loader.ts'

const orderColumns = { name: 'namespace.name', path: 'namespace.path', id: 'namespace.id' } as const

/** Filters and order of all lists of groups: specification 2, "Groups". */
export const groupFilters = {
  ...keysetEntries,
  /** Ids of groups to omit, at most 1,000. Default: none. */
  skipGroups: v.optional(v.pipe(v.array(Id), v.maxLength(1_000)), []),
  /**
   * Whether to include readable groups of which the current user is not a member. Default: true for administrators, false for
   * others. Ignored with `owned` or `minAccessLevel`.
   */
  allAvailable: v.optional(v.boolean()),
  /**
   * Words of at least 3 characters and quoted phrases that the name or the path must contain: at most 1,024 characters and
   * 64 words.
   */
  search: v.optional(v.string()),
  /** Only groups with this visibility. */
  visibility: v.optional(v.picklist(visibilities)),
  /**
   * Field to sort by; equal values are sorted by id. `similarity` to the text of `search`: equal names and paths, then those with the
   * same beginning, then others; without `search`, by name. Default: `name`.
   */
  orderBy: v.optional(v.picklist(['name', 'path', 'id', 'similarity']), 'name'),
  /** Direction of the order. Default: `asc`. */
  sort: v.optional(Sort, 'asc'),
  /** Whether to include `statistics`. Ignored unless the current user is an administrator. Default: false. */
  statistics: v.optional(v.boolean(), false),
  /** Whether to include `customAttributes`. Ignored unless the current user is an administrator. Default: false. */
  withCustomAttributes: v.optional(v.boolean(), false),
  /** Only groups of which the current user is an owner; takes precedence over `minAccessLevel` and `allAvailable`. Default: false. */
  owned: v.optional(v.boolean(), false),
  /**
   * Only groups in which the current user has at least this level: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner;
   * 5, 15 and 25, which no member has, select those above. Takes precedence over `allAvailable`.
   */
  minAccessLevel: v.optional(v.picklist(minimumLevels)),
  ...customAttributesFilter,
  /** Only groups with this storage. Ignored unless the current user is an administrator. */
  repositoryStorage: v.optional(v.pipe(v.string(), v.maxLength(255))),
  /** Whether to omit subgroups. Default: false. */
  topLevelOnly: v.optional(v.boolean(), false),
  /** Only groups that were marked for deletion on this day, such as `2026-11-21`. */
  markedForDeletionOn: v.optional(DateOnly),
  /** Only groups that are neither archived nor marked for deletion (true), or only others (false). Default: both. */
  active: v.optional(v.boolean()),
  /** Only archived groups (true) or only others (false). Default: both. */
  archived: v.optional(v.boolean()),
}

const GroupFiltersSchema = v.object(groupFilters)
type GroupFiltersInput = v.InferOutput<typeof GroupFiltersSchema>

type GroupExpressions = ExpressionBuilder<Database, 'namespace'>

/** Groups in which the current user is a member or that contain a project of the current user, with the ancestors of both. */
const isInMembershipHierarchy = (ctx: Context) => (eb: GroupExpressions) => {
  const memberGroups = groupIdsWithAccess(ctx, Access.guest)
  const projectGroups = ctx.db
    .selectFrom('project')
    .where('project.id', 'in', directProjectIdsWithAccess(ctx, Access.guest))
    .select('project.namespaceId')
  const ancestors = ctx.db
    .selectFrom('namespaceLineage as up')
    .where((inner) =>
      inner.or([inner('up.namespaceId', 'in', memberGroups), inner('up.namespaceId', 'in', projectGroups)]),
    )
    .select('up.ancestorId')
  return eb('namespace.id', 'in', ancestors)
}

/** Groups that the current user can read. */
export const selectReadableGroups = (ctx: Context) =>
  ctx.db.selectFrom('namespace').where('namespace.kind', '=', 'group').where(readableGroups(ctx))

/** Groups that the current user can read; lists add their own conditions. */
export type GroupQuery = ReturnType<typeof selectReadableGroups>

/** Defaults: public groups for anonymous callers, groups of their hierarchy for users, all groups for administrators. */
const filterByMembership = (
  ctx: Context,
  rows: GroupQuery,
  { owned, minAccessLevel, allAvailable }: GroupFiltersInput,
): GroupQuery => {
  if (owned) return rows.where('namespace.id', 'in', groupIdsWithAccess(ctx, Access.owner))
  if (minAccessLevel !== undefined) return rows.where('namespace.id', 'in', groupIdsWithAccess(ctx, minAccessLevel))
  if (ctx.actor.kind === 'anonymous') return rows.where('namespace.visibility', '=', 'public')
  return (allAvailable ?? isAdministrator(ctx.actor)) ? rows : rows.where(isInMembershipHierarchy(ctx))
}

const sortKeysOf = ({ orderBy, sort, search = '' }: GroupFiltersInput): readonly [SortKey, ...SortKey[]] => {
  if (orderBy !== 'similarity') return listSortKeys(orderColumns[orderBy], 'namespace.id', sort, 'asc')
  if (!search.trim()) return listSortKeys(orderColumns.name, 'namespace.id', sort, 'asc')
  const value = rateSimilarity(search, ['namespace.name', 'namespace.path'])
  return [
    { column: 'sortValue', sort: 'desc', value },
    { column: 'namespace.id', sort: 'asc' },
  ]
}

/** Applies the filters to `query` and loads the records of a page. */
export async function listGroups(
  ctx: Context,
  query: GroupQuery,
  filters: GroupFiltersInput,
): Promise<Page<GroupRecord>> {
  const { skipGroups, search = '', visibility, customAttributes, repositoryStorage } = filters
  const isAdmin = isAdministrator(ctx.actor)
  let rows = filterByMembership(ctx, query, filters)
  if (filters.topLevelOnly) rows = rows.where('namespace.parentId', 'is', null)
  const { active, markedForDeletionOn } = filters
  if (active !== undefined)
    rows = rows.where((eb) => {
      const isActive = eb.and([eb('namespace.markedForDeletionOn', 'is', null), eb('namespace.archived', '=', false)])
      return active ? isActive : eb.not(isActive)
    })
  if (filters.archived !== undefined) rows = rows.where('namespace.archived', '=', filters.archived)
  if (markedForDeletionOn !== undefined) rows = rows.where('namespace.markedForDeletionOn', '=', markedForDeletionOn)
  if (repositoryStorage !== undefined && isAdmin)
    rows = rows.where((eb) =>
      eb(
        eb.fn.coalesce(jsonText('namespace.settings', 'repositoryStorage'), eb.val('default')),
        '=',
        repositoryStorage,
      ),
    )
  if (skipGroups.length) rows = rows.where('namespace.id', 'not in', skipGroups)
  if (visibility !== undefined) rows = rows.where('namespace.visibility', '=', visibility)
  const matches = matchesSearch(ctx.dialect, ['namespace.name', 'namespace.path'], parseSearchText(search))
  if (matches) rows = rows.where(matches)
  rows = rows.where((eb) => eb.and(matchCustomAttributes(ctx, 'groupId', eb.ref('namespace.id'), customAttributes)))
  const keys = sortKeysOf(filters)
  const [{ value }] = keys
  const page = await paginateByKeys(
    rows.select(groupColumns).select(value ? [value.as('sortValue')] : []),
    keys,
    filters,
    ({ sortValue: _, ...row }): Group => row,
  )
  const options = {
    statistics: isAdmin && filters.statistics,
    withCustomAttributes: isAdmin && filters.withCustomAttributes,
  }
  return { ...page, items: await loadGroupRecords(ctx, page.items, options) }
}
