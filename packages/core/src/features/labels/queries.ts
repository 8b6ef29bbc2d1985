import type { Kysely } from 'kysely'
import type { Database } from '../../contract/database.ts'
import type { Subjects } from '../../contract/subjects.ts'
import { getUserId } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { fetchPage, type Page, type PagingInput } from '../../kernel/paging.ts'
import { preparedFor, preparedQuery } from '../../kernel/prepared-query.ts'
import { chain, type MaybePromise } from '../../kernel/store.ts'
import { createLineBudget, type LineOptions } from '../../ports/markdown.ts'
import { getTextColor } from '../../shared/colors.ts'
import { getImageProxy } from '../settings/image-proxy.ts'
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

/**
 * Ids and names of the labels in scope: a union with one part for each owner. Each part is read from an index that is sorted
 * by name, so a page costs its own rows only. An `or` would read and sort the whole list.
 */
const selectInScope = (db: Kysely<Database>, { projectId, namespaceId }: LabelScope, levels: number) => {
  const labels = db.selectFrom('label').select(['label.id', 'label.name'])
  const ancestorIdAt = (depth: number) =>
    db
      .selectFrom('namespaceLineage')
      .where('namespaceId', '=', namespaceId)
      .where('depth', '=', (eb) => eb.lit(depth))
      .select('ancestorId')
  let union = labels.where('label.projectId', '=', projectId)
  for (let depth = 0; depth < levels; depth++) {
    union = union.unionAll(labels.where('label.groupId', '=', ancestorIdAt(depth)))
  }
  return union
}

type ViewerScope = LabelScope & { readonly currentUserId: number }

/** Labels with the priority in the project and the subscription of the current user. */
const selectLabels = (
  db: Kysely<Database>,
  { projectId, currentUserId }: ViewerScope,
  chosen: ReturnType<typeof selectInScope>,
) =>
  db
    .selectFrom(chosen.as('chosen'))
    .innerJoin('label', 'label.id', 'chosen.id')
    .leftJoin('labelPriority', (join) =>
      join.onRef('labelPriority.labelId', '=', 'label.id').on('labelPriority.projectId', '=', projectId),
    )
    .leftJoin('labelSubscription', (join) =>
      join
        .onRef('labelSubscription.labelId', '=', 'label.id')
        .on('labelSubscription.projectId', '=', projectId)
        .on('labelSubscription.userId', '=', currentUserId),
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
const queriesFor = preparedFor((levels: number) => ({
  page: preparedQuery((db, params: ViewerScope & { limit: number; offset: number }) => {
    const page = selectInScope(db, params, levels)
      .orderBy('name')
      .orderBy('id')
      .limit(params.limit)
      .offset(params.offset)
    return selectLabels(db, params, page).orderBy('chosen.name').orderBy('chosen.id')
  }),
  count: preparedQuery((db, params: LabelScope & { limit: number }) =>
    db
      .selectFrom(selectInScope(db, params, levels).limit(params.limit).as('counted'))
      .select((eb) => eb.fn.countAll<number>().as('total')),
  ),
  byId: preparedQuery((db, params: ViewerScope & { id: number }) =>
    selectLabels(db, params, selectInScope(db, params, levels)).where('chosen.id', '=', params.id),
  ),
  named: preparedQuery((db, params: LabelScope & { name: string }) =>
    db
      .selectFrom(selectInScope(db, params, levels).as('chosen'))
      .where('chosen.name', '=', params.name)
      .select('chosen.id')
      .limit(1),
  ),
  byName: preparedQuery((db, params: ViewerScope & { name: string }) =>
    selectLabels(db, params, selectInScope(db, params, levels)).where('chosen.name', '=', params.name),
  ),
}))

type LabelRow = Awaited<ReturnType<ReturnType<typeof queriesFor>['page']>>[number]

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

/** For the descriptions of one call, which share a budget. */
export const getLineOptions = (ctx: Context): MaybePromise<LineOptions> =>
  chain(getImageProxy(ctx), (imageProxy) => ({ budget: createLineBudget(), ...(imageProxy && { imageProxy }) }))

/** A page of the labels in scope, by name. */
export async function listLabels(ctx: Context, scope: LabelScope, input: PagingInput): Promise<Page<Label>> {
  const { page, count } = queriesFor(scope.levels)
  const rows = await fetchPage(input, {
    find: (range) => page(ctx, { ...scope, ...range, currentUserId: getUserId(ctx.actor) }),
    count: async (limit) => Number((await count(ctx, { ...scope, limit }))[0]?.total),
  })
  const options = await getLineOptions(ctx)
  return { ...rows, items: rows.items.map((row) => toLabel(ctx, row, options)) }
}

/** Whether a label in scope has the name. */
export async function isNameTaken(ctx: Context, scope: LabelScope, name: string): Promise<boolean> {
  const rows = await queriesFor(scope.levels).named(ctx, { ...scope, name })
  return rows.length > 0
}

/** A label of the project precedes one of a group above. */
const findLabelRowByName = async (ctx: Context, scope: LabelScope, name: string): Promise<LabelRow | undefined> => {
  const rows = await queriesFor(scope.levels).byName(ctx, { ...scope, currentUserId: getUserId(ctx.actor), name })
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
  const [row] = await queriesFor(scope.levels).byId(ctx, { ...scope, currentUserId: getUserId(ctx.actor), id })
  return row && toLabel(ctx, row, await getLineOptions(ctx))
}

/** A label by id, or else by name: a number that is not an id can be a name. */
export async function findLabel(ctx: Context, scope: LabelScope, ref: number | string): Promise<Label> {
  const byId = typeof ref === 'number' ? await findLabelById(ctx, scope, ref) : undefined
  const label = byId ?? (await findLabelByName(ctx, scope, String(ref)))
  if (!label) throw notFound('Label')
  return label
}
