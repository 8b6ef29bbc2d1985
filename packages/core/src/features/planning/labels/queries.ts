import type { ExpressionBuilder, Kysely } from 'kysely'
import type { PredicateContext } from '../../../access/access-conditions.ts'
import { selectProjectsBelow, selectSubgroupIds } from '../../../access/below-group.ts'
import { withGrants } from '../../../access/grants.ts'
import { findLineage } from '../../../access/namespaces.ts'
import { readableProjects } from '../../../access/predicates.ts'
import type { Database } from '../../../contract/database.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { matchesSearch } from '../../../db/functions.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { countLimit, fetchPage, type Page, type PagingInput, paginate } from '../../../kernel/paging.ts'
import { preparedFor, preparedQuery } from '../../../kernel/prepared-query.ts'
import { parseSearchText } from '../../../kernel/search-text.ts'
import { chain, type Dialect, type MaybePromise } from '../../../kernel/store.ts'
import type { LineOptions } from '../../../ports/markdown.ts'
import { getTextColor } from '../../../shared/colors.ts'
import { defined } from '../../../shared/defined.ts'
import { getLineOptions } from '../../administration/settings/image-proxy.ts'
import type { Label } from './label.ts'

/** The owners of the labels that a query reads: a project, a namespace and the nearest ancestors of that namespace. */
export interface LabelScope {
  /** 0 for no project. */
  readonly projectId: number
  readonly namespaceId: number
  /** The number of namespaces; 1 excludes ancestors. */
  readonly levels: number
}

/** The labels that can be used in a project or a group: its own and those of the groups above. */
export const toLabelScope = (
  subject: Subjects['project'] | Subjects['group'],
  includeAncestorGroups = true,
): LabelScope => {
  const [projectId, namespaceId, levels] =
    subject.kind === 'project'
      ? [subject.project.id, subject.project.namespaceId, subject.project.fullPath.split('/').length - 1]
      : [0, subject.group.id, subject.group.fullPath.split('/').length]
  return { projectId, namespaceId, levels: includeAncestorGroups ? levels : 1 }
}

/** The project, and the namespaces by their depth above it: `namespace0` is the nearest. 0 for no project. */
type Owners = { readonly projectId: number } & { readonly [depth: `namespace${number}`]: number }

const findOwners = (ctx: Context, { projectId, namespaceId, levels }: LabelScope): MaybePromise<Owners> =>
  chain(findLineage(ctx, namespaceId), (ids) => {
    const owners: Record<string, number> = { projectId }
    // An id that no namespace has, if another process has moved the namespace up since the path was read.
    for (let depth = 0; depth < levels; depth++) owners[`namespace${depth}`] = ids[depth] ?? 0
    return owners as Owners
  })

/** Ids and names of the labels of each owner. */
const selectByOwner = (db: Kysely<Database>, owners: Owners, levels: number) => {
  const labels = db.selectFrom('label').select(['label.id', 'label.name'])
  const byOwner = [labels.where('label.projectId', '=', owners.projectId)]
  for (let depth = 0; depth < levels; depth++) {
    byOwner.push(labels.where('label.groupId', '=', defined(owners[`namespace${depth}`])))
  }
  return byOwner
}

type LabelIds = ReturnType<typeof selectByOwner>[number]

const unite = ([first, ...others]: readonly LabelIds[]) =>
  others.reduce((union, labels) => union.unionAll(labels), defined(first))

/**
 * Ids and names of the labels in scope: a union with one part for each owner. Each part is read from an index that is sorted
 * by name, so a page costs its own rows only. An `or` would read and sort the whole list.
 */
const selectInScope = (db: Kysely<Database>, owners: Owners, levels: number) => unite(selectByOwner(db, owners, levels))

type PageParameters = { readonly limit: number; readonly offset: number; readonly end: number }

/** SQLite merges the sorted parts. PostgreSQL sorts all of them, unless each part ends where the page does. */
const selectPage = (db: Kysely<Database>, params: Owners & PageParameters, levels: number, dialect: Dialect) => {
  const parts = selectByOwner(db, params, levels)
  const untilEnd = (labels: LabelIds) =>
    db.selectFrom(labels.orderBy('name').limit(params.end).as('label')).select(['label.id', 'label.name'])
  return unite(dialect === 'sqlite' ? parts : parts.map((labels) => untilEnd(labels) as unknown as LabelIds))
    .orderBy('name')
    .orderBy('id')
    .limit(params.limit)
    .offset(params.offset)
}

type ViewerScope = Owners & { readonly currentUserId: number }

/** The project of a subscription; 0 for one of the group. An index has the same expression. */
export const subscriptionProjectId = (eb: ExpressionBuilder<Database, 'labelSubscription'>) =>
  eb.fn.coalesce('labelSubscription.projectId', eb.lit(0))

/** Labels with the priority in the project and the subscription of the current user. */
const selectLabels = (db: Kysely<Database>, { projectId, currentUserId }: ViewerScope, chosen: LabelIds) =>
  db
    .selectFrom(chosen.as('chosen'))
    .innerJoin('label', 'label.id', 'chosen.id')
    .leftJoin('labelPriority', (join) =>
      join.onRef('labelPriority.labelId', '=', 'label.id').on('labelPriority.projectId', '=', projectId),
    )
    .leftJoin('labelSubscription', (join) =>
      join
        .onRef('labelSubscription.labelId', '=', 'label.id')
        .on('labelSubscription.userId', '=', currentUserId)
        .on((eb) => eb(subscriptionProjectId(eb), '=', projectId)),
    )
    .select([
      'label.id',
      'label.name',
      'label.color',
      'label.description',
      'label.projectId',
      'labelPriority.priority',
      'labelSubscription.userId as subscriberId',
    ])

/** The number of owners is part of the SQL, so each number has prepared queries of its own. */
const queriesFor = preparedFor((levels: number, dialect: Dialect) => {
  const selectTotal = (db: Kysely<Database>, params: Owners & { readonly most: number }) =>
    db
      .selectFrom(selectInScope(db, params, levels).limit(params.most).as('counted'))
      .select((eb) => eb.fn.countAll<number>().as('total'))
  return {
    /** With the total, which saves a statement for all pages except empty ones. */
    page: preparedQuery((db, params: ViewerScope & PageParameters & { most: number }) =>
      selectLabels(db, params, selectPage(db, params, levels, dialect))
        .select(selectTotal(db, params).as('total'))
        .orderBy('chosen.name')
        .orderBy('chosen.id'),
    ),
    count: preparedQuery(selectTotal),
    byId: preparedQuery((db, params: ViewerScope & { id: number }) =>
      selectLabels(db, params, selectInScope(db, params, levels)).where('chosen.id', '=', params.id),
    ),
    named: preparedQuery((db, params: Owners & { name: string }) =>
      db
        .selectFrom(selectInScope(db, params, levels).as('chosen'))
        .where('chosen.name', '=', params.name)
        .select('chosen.id')
        .limit(1),
    ),
    byName: preparedQuery((db, params: ViewerScope & { name: string }) =>
      selectLabels(db, params, selectInScope(db, params, levels)).where('chosen.name', '=', params.name),
    ),
  }
})

type LabelRow = Awaited<ReturnType<ReturnType<typeof queriesFor>['byId']>>[number]

export const toLabel = (ctx: Context, row: LabelRow, options: LineOptions): Label => ({
  id: row.id,
  name: row.name,
  color: row.color,
  textColor: getTextColor(row.color),
  description: row.description,
  descriptionHtml: row.description ? ctx.ports.markdown.line(row.description, options) : '',
  subscribed: row.subscriberId !== null,
  priority: row.priority,
  isProjectLabel: row.projectId !== null,
})

/** A page of the labels in scope, by name. */
async function listLabels(ctx: Context, scope: LabelScope, input: PagingInput): Promise<Page<Label>> {
  const { page, count } = queriesFor(scope.levels, ctx.dialect)
  const params = { ...(await findOwners(ctx, scope)), currentUserId: getUserId(ctx.actor), most: countLimit }
  let total: number | null | undefined
  const rows = await fetchPage<LabelRow>(input, {
    find: (range) =>
      chain(page(ctx, { ...params, ...range, end: range.offset + range.limit }), (found) => {
        total = found[0]?.total
        return found
      }),
    count: async () => Number(total ?? (await count(ctx, params))[0]?.total),
  })
  const options = await getLineOptions(ctx)
  return { ...rows, items: rows.items.map((row) => toLabel(ctx, row, options)) }
}

/** Labels below a group that a call requests in addition to those in scope. */
export interface LabelsBelow {
  /** Whether to include the labels of subgroups on all levels. */
  readonly includeDescendantGroups: boolean
  /** Whether to leave out the labels of projects of the group and, with `includeDescendantGroups`, of its subgroups. */
  readonly onlyGroupLabels: boolean
}

/** The labels below a group that the current user can read. */
const selectBelow = (
  ctx: PredicateContext,
  groupId: number,
  { includeDescendantGroups, onlyGroupLabels }: LabelsBelow,
): readonly LabelIds[] => {
  const labels = ctx.db.selectFrom('label').select(['label.id', 'label.name'])
  const projects = selectProjectsBelow(ctx, groupId, includeDescendantGroups).where(readableProjects(ctx))
  return [
    ...(includeDescendantGroups ? [labels.where('label.groupId', 'in', selectSubgroupIds(ctx, groupId))] : []),
    ...(onlyGroupLabels ? [] : [labels.where('label.projectId', 'in', projects.select('project.id'))]),
  ]
}

/** The labels in scope and those below the group, if the scope is one of a group. */
const selectWithBelow = async (ctx: Context, scope: LabelScope, below: LabelsBelow) => {
  const viewer = await toViewerScope(ctx, scope)
  const others = scope.projectId === 0 ? selectBelow(await withGrants(ctx), scope.namespaceId, below) : []
  return selectLabels(ctx.db, viewer, unite([...selectByOwner(ctx.db, viewer, scope.levels), ...others]))
}

/** A page of the labels in scope and below whose name or description contains the words of a search, by name. */
export async function searchLabels(
  ctx: Context,
  scope: LabelScope,
  { search = '', ...input }: PagingInput & LabelsBelow & { readonly search?: string | undefined },
): Promise<Page<Label>> {
  if (search === '' && !includesBelow(input)) return listLabels(ctx, scope, input)
  const matches = matchesSearch(ctx.dialect, ['label.name', 'label.description'], parseSearchText(search))
  const rows = (await selectWithBelow(ctx, scope, input)).orderBy('chosen.name').orderBy('chosen.id')
  const options = await getLineOptions(ctx)
  return paginate(matches ? rows.where(matches) : rows, input, (row) => toLabel(ctx, row, options))
}

const includesBelow = ({ includeDescendantGroups, onlyGroupLabels }: LabelsBelow) =>
  includeDescendantGroups || !onlyGroupLabels

/** A label below a group, by id or name; undefined unless the call requests such labels. */
export async function findLabelBelow(
  ctx: Context,
  scope: LabelScope,
  ref: number | string,
  below: LabelsBelow,
): Promise<Label | undefined> {
  if (!includesBelow(below)) return undefined
  const rows = await selectWithBelow(ctx, scope, below)
  const byId = typeof ref === 'number' ? await rows.where('chosen.id', '=', ref).executeTakeFirst() : undefined
  const byName = rows.where('chosen.name', '=', String(ref)).orderBy('chosen.id').limit(1)
  const row = byId ?? (await byName.executeTakeFirst())
  return row && toLabel(ctx, row, await getLineOptions(ctx))
}

/** Whether a label in scope has the name. */
export async function isNameTaken(ctx: Context, scope: LabelScope, name: string): Promise<boolean> {
  const rows = await queriesFor(scope.levels, ctx.dialect).named(ctx, { ...(await findOwners(ctx, scope)), name })
  return rows.length > 0
}

const toViewerScope = async (ctx: Context, scope: LabelScope): Promise<ViewerScope> => ({
  ...(await findOwners(ctx, scope)),
  currentUserId: getUserId(ctx.actor),
})

/** A label of the project precedes one of a group above. */
const findLabelRowByName = async (ctx: Context, scope: LabelScope, name: string): Promise<LabelRow | undefined> => {
  const { byName } = queriesFor(scope.levels, ctx.dialect)
  const rows = await byName(ctx, { ...(await toViewerScope(ctx, scope)), name })
  return rows.find(({ projectId }) => projectId !== null) ?? rows[0]
}

/** A label by name only. */
export async function findLabelByName(ctx: Context, scope: LabelScope, name: string): Promise<Label | undefined> {
  const row = await findLabelRowByName(ctx, scope, name)
  return row && toLabel(ctx, row, await getLineOptions(ctx))
}

/** The id of a label by name only. */
export const findLabelIdByName = async (ctx: Context, scope: LabelScope, name: string): Promise<number | undefined> =>
  (await findLabelRowByName(ctx, scope, name))?.id

const findLabelById = async (ctx: Context, scope: LabelScope, id: number): Promise<Label | undefined> => {
  const [row] = await queriesFor(scope.levels, ctx.dialect).byId(ctx, { ...(await toViewerScope(ctx, scope)), id })
  return row && toLabel(ctx, row, await getLineOptions(ctx))
}

/** A label by id, or else by name: a number that is not an id can be a name. */
export async function findLabel(ctx: Context, scope: LabelScope, ref: number | string): Promise<Label> {
  const byId = typeof ref === 'number' ? await findLabelById(ctx, scope, ref) : undefined
  const label = byId ?? (await findLabelByName(ctx, scope, String(ref)))
  if (!label) throw notFound('Label')
  return label
}
