import { type AliasableExpression, type ExpressionBuilder, expressionBuilder } from 'kysely'
import type { Database } from '../../../contract/database.ts'
import { rateSimilarity } from '../../../db/rate-similarity.ts'
import { isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { listSortKeys, type SortKey } from '../../../kernel/paging.ts'

const orderColumns = {
  id: 'project.id',
  name: 'project.name',
  path: 'project.path',
  created_at: 'project.createdAt',
  updated_at: 'project.updatedAt',
  last_activity_at: 'project.lastActivityAt',
} as const

const sizeColumns = {
  repository_size: ['repositorySize'],
  wiki_size: ['wikiSize'],
  packages_size: ['packagesSize'],
  storage_size: ['repositorySize', 'wikiSize', 'lfsObjectsSize', 'jobArtifactsSize', 'packagesSize', 'snippetsSize'],
} as const

type SizeOrder = keyof typeof sizeColumns

/** The values of `orderBy` in lists of projects. */
export const orders = [
  'id',
  'name',
  'path',
  'created_at',
  'updated_at',
  'last_activity_at',
  'star_count',
  'similarity',
  'repository_size',
  'wiki_size',
  'packages_size',
  'storage_size',
] as const

type Order = (typeof orders)[number]

type Projects = ExpressionBuilder<Database, 'project'>

const countStars = (eb: Projects) => {
  const stars = eb
    .selectFrom('projectStar')
    .whereRef('projectStar.projectId', '=', 'project.id')
    .select((inner) => inner.fn.countAll<number>().as('value'))
  return eb.fn.coalesce(stars, eb.lit(0))
}

const sumUploads = (eb: Projects) => {
  const size = eb
    .selectFrom('upload')
    .whereRef('upload.projectId', '=', 'project.id')
    .select((inner) => inner.fn.sum<number>('upload.size').as('value'))
  return eb.fn.coalesce(size, eb.lit(0))
}

/** 0 for a project that was not measured. */
const sumSizes = (eb: Projects, order: SizeOrder) => {
  const [first, ...others] = sizeColumns[order]
  const size = eb
    .selectFrom('projectSize')
    .whereRef('projectSize.projectId', '=', 'project.id')
    .select((inner) =>
      others
        .reduce<AliasableExpression<number>>(
          (sum, column) => inner(sum, '+', inner.ref(`projectSize.${column}`)),
          inner.ref(`projectSize.${first}`),
        )
        .as('value'),
    )
  const measured = eb.fn.coalesce(size, eb.lit(0))
  return order === 'storage_size' ? eb(measured, '+', sumUploads(eb)) : measured
}

interface OrderInput {
  readonly orderBy: Order
  readonly sort: SortKey['sort']
  readonly search?: string | undefined
}

const isColumnOrder = (order: Order): order is keyof typeof orderColumns => Object.hasOwn(orderColumns, order)

const isSizeOrder = (order: Order): order is SizeOrder => Object.hasOwn(sizeColumns, order)

/** The number that a list is sorted by, if it is not a column of the project. */
const findValue = (ctx: Context, { orderBy, search }: OrderInput): AliasableExpression<number> | undefined => {
  const eb = expressionBuilder<Database, 'project'>()
  if (orderBy === 'star_count') return countStars(eb)
  // As in the original service, the orders that not everybody may use fall back to the default.
  if (orderBy === 'similarity')
    return search?.trim() ? rateSimilarity(search, ['project.name', 'project.path']) : undefined
  return isSizeOrder(orderBy) && isAdministrator(ctx.actor) ? sumSizes(eb, orderBy) : undefined
}

/** The order of a list of projects. The first key has a `value` if the list must select it as `sortValue`. */
export const projectSortKeys = (ctx: Context, input: OrderInput): readonly [SortKey, ...SortKey[]] => {
  const { orderBy, sort } = input
  const value = findValue(ctx, input)
  if (value)
    return [
      { column: 'sortValue', sort, value },
      { column: 'project.id', sort },
    ]
  return listSortKeys(orderColumns[isColumnOrder(orderBy) ? orderBy : 'created_at'], 'project.id', sort)
}
