import type { ExpressionBuilder } from 'kysely'
import * as v from 'valibot'
import { Access, groupLevels } from '../../access/levels.ts'
import { groupsAt, projectsAt, readableGroups } from '../../access/predicates.ts'
import type { Database } from '../../database.ts'
import { matches } from '../../db/functions.ts'
import { isAdministrator } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { Id, Sort } from '../../kernel/inputs.ts'
import { type Page, paginate, paging } from '../../kernel/paging.ts'
import { searchPatterns } from '../../kernel/search-text.ts'
import type { Group } from '../groups/group.ts'
import { groupColumns } from '../groups/queries.ts'
import type { GroupRecord } from './group-record.ts'
import { groupRecords } from './records.ts'

const columnOf = { name: 'namespace.name', path: 'namespace.path', id: 'namespace.id' } as const

/** What every list of groups can be narrowed and ordered by: specification 2, "Groups". */
export const groupFilters = {
  ...paging,
  skipGroups: v.optional(v.pipe(v.array(Id), v.maxLength(1_000)), []),
  /** Also those to which the caller does not belong. Administrators get all unless they say no. */
  allAvailable: v.optional(v.boolean()),
  /** In name and path. */
  search: v.optional(v.string()),
  orderBy: v.optional(v.picklist(['name', 'path', 'id']), 'name'),
  sort: v.optional(Sort, 'asc'),
  /** For administrators; others do not get them. */
  statistics: v.optional(v.boolean(), false),
  /** For administrators; others do not get them. */
  withCustomAttributes: v.optional(v.boolean(), false),
  /** Of which the caller is an owner; goes before `minAccessLevel` and `allAvailable`. */
  owned: v.optional(v.boolean(), false),
  minAccessLevel: v.optional(v.picklist(groupLevels)),
  /** Words that administrators keep, all of which a group must have. For administrators; others are not narrowed by them. */
  customAttributes: v.optional(v.pipe(v.record(v.string(), v.string()), v.maxEntries(20))),
}

const Filters = v.object(groupFilters)
type Given = v.InferOutput<typeof Filters>

type InGroups = ExpressionBuilder<Database, 'namespace'>

/** Where the caller is a member, of the group or of a project in it, with all groups below the former and above both. */
const ownTrees = (ctx: Context) => (eb: InGroups) => {
  const below = groupsAt(ctx, Access.guest)
  const holding = ctx.db
    .selectFrom('project')
    .where('project.id', 'in', projectsAt(ctx, Access.guest))
    .select('project.namespaceId')
  const above = ctx.db
    .selectFrom('namespaceLineage as up')
    .where((inner) => inner.or([inner('up.namespaceId', 'in', below), inner('up.namespaceId', 'in', holding)]))
    .select('up.ancestorId')
  return eb('namespace.id', 'in', above)
}

const keeping = (ctx: Context, key: string, value: string) => (eb: InGroups) =>
  eb(
    'namespace.id',
    'in',
    ctx.db
      .selectFrom('customAttribute')
      .where('customAttribute.key', '=', key)
      .where('customAttribute.value', '=', value)
      .where('customAttribute.groupId', 'is not', null)
      .select('customAttribute.groupId')
      .$castTo<{ groupId: number }>(),
  )

/** Groups that the reader can see. */
export const readableRows = (ctx: Context) =>
  ctx.db.selectFrom('namespace').where('namespace.kind', '=', 'group').where(readableGroups(ctx))

type Rows = ReturnType<typeof readableRows>

/** Without a membership to ask for: nobody gets public groups, people their own, administrators all. */
const belonging = (ctx: Context, rows: Rows, { owned, minAccessLevel, allAvailable }: Given): Rows => {
  if (owned) return rows.where('namespace.id', 'in', groupsAt(ctx, Access.owner))
  if (minAccessLevel !== undefined) return rows.where('namespace.id', 'in', groupsAt(ctx, minAccessLevel))
  if (ctx.actor.kind === 'nobody') return rows.where('namespace.visibility', '=', 'public')
  return (allAvailable ?? isAdministrator(ctx.actor)) ? rows : rows.where(ownTrees(ctx))
}

/** A page of those of `rows` that the filters leave, as records. */
export async function groupPage(ctx: Context, rows: Rows, given: Given): Promise<Page<GroupRecord>> {
  const { skipGroups, search = '', orderBy, sort, customAttributes = {} } = given
  const administrator = isAdministrator(ctx.actor)
  let left = belonging(ctx, rows, given)
  if (skipGroups.length) left = left.where('namespace.id', 'not in', skipGroups)
  for (const pattern of searchPatterns(search)) {
    left = left.where((eb) => eb.or([matches('namespace.name', pattern), matches('namespace.path', pattern)]))
  }
  if (administrator) {
    for (const [key, value] of Object.entries(customAttributes)) left = left.where(keeping(ctx, key, value))
  }
  const ordered = left.select(groupColumns).orderBy(columnOf[orderBy], sort)
  const page = await paginate(
    orderBy === 'id' ? ordered : ordered.orderBy('namespace.id', 'asc'),
    given,
    (row): Group => row,
  )
  const wanted = {
    statistics: administrator && given.statistics,
    withCustomAttributes: administrator && given.withCustomAttributes,
  }
  return { ...page, items: await groupRecords(ctx, page.items, wanted) }
}
