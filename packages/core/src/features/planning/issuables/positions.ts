import type { Kysely, RawBuilder } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'

/** Distance between neighbors that were never moved: 20 items fit between them until others have to move. */
const positionStep = 2 ** 20

/** Items that move to other positions if there is no room between two of them. */
const shiftedItems = 100

/** Smaller distances would be used up by the next moves. */
const minDistance = 2 ** 10

/** The items of a project, or those of an epic or its children, in their manual order. */
interface ManualOrder {
  readonly table: 'issue' | 'epicIssue' | 'epicLink'
  readonly parent: 'projectId' | 'epicId' | 'parentId'
  readonly parentId: number
  /** The position of a row. */
  readonly position: RawBuilder<number>
}

/** The ids of the items that come directly before and after the moved one. */
interface Neighbors {
  readonly before?: number | undefined
  readonly after?: number | undefined
}

// biome-ignore lint/suspicious/noExplicitAny: the same statements for all tables
const untypedDatabase = (ctx: Context): Kysely<any> => ctx.db

const selectItems = (ctx: Context, { table, parent, parentId, position }: ManualOrder) =>
  untypedDatabase(ctx)
    .selectFrom(table)
    .where(`${table}.${parent}`, '=', parentId)
    .select([`${table}.id`, position.as('position')])

/** Omitted bounds are ends of the list. */
interface Gap {
  readonly low?: number | undefined
  readonly high?: number | undefined
}

type Item = { readonly id: number; readonly position: number }

const toItem = ({ id, position }: Item): Item => ({ id, position: Number(position) })

/** @throws PlatformError `not_found` for an item of another project or epic */
const readPosition = async (ctx: Context, order: ManualOrder, id: number): Promise<number> => {
  const item = await selectItems(ctx, order).where(`${order.table}.id`, '=', id).executeTakeFirst()
  if (!item) throw notFound()
  return toItem(item).position
}

/** The nearest other items on one side of a position, the nearest first. */
const findNearest = async (
  ctx: Context,
  order: ManualOrder,
  { side, position, except, limit }: { side: '<' | '>'; position: number; except: number; limit: number },
): Promise<Item[]> => {
  const items: Item[] = await selectItems(ctx, order)
    .where(order.position, side, position)
    .where(`${order.table}.id`, '!=', except)
    .orderBy(order.position, side === '<' ? 'desc' : 'asc')
    .limit(limit)
    .execute()
  return items.map(toItem)
}

const setPosition = async (ctx: Context, { table }: ManualOrder, id: number, position: number): Promise<void> => {
  await untypedDatabase(ctx).updateTable(table).set({ relativePosition: position }).where('id', '=', id).execute()
}

/** Spreads the items before a position, and returns the distance between them. */
const makeRoom = async (ctx: Context, order: ManualOrder, position: number, except: number): Promise<number> => {
  for (let size = shiftedItems; ; size *= 10) {
    const nearest = await findNearest(ctx, order, { side: '<', position, except, limit: size + 1 })
    const shifted = nearest.slice(0, size)
    const bottom = nearest[size]?.position ?? position - positionStep * (shifted.length + 1)
    const distance = Math.floor((position - bottom) / (shifted.length + 1))
    if (distance < minDistance) continue
    for (const [at, { id }] of shifted.entries()) await setPosition(ctx, order, id, position - distance * (at + 1))
    return distance
  }
}

/** The positions of the neighbors that the moved item gets between; one of them can be absent at an end of the list. */
const findGap = async (ctx: Context, order: ManualOrder, id: number, { before, after }: Neighbors): Promise<Gap> => {
  const given: number[] = []
  for (const neighbor of [before, after])
    if (neighbor !== undefined) given.push(await readPosition(ctx, order, neighbor))
  if (before === undefined) {
    const high = Math.min(...given)
    const [previous] = await findNearest(ctx, order, { side: '<', position: high, except: id, limit: 1 })
    return { low: previous?.position, high }
  }
  const low = Math.min(...given)
  const [next] = await findNearest(ctx, order, { side: '>', position: low, except: id, limit: 1 })
  return { low, high: next?.position }
}

/** The bounds of a gap at an end of the list. New items come after all others: the position of the next one is a multiple of the step. */
const closeGap = ({ low, high = (Math.floor((low ?? 0) / positionStep) + 1) * positionStep }: Gap) => ({
  low: low ?? high - 2 * positionStep,
  high,
})

/**
 * Moves an item directly after `before`, or directly before `after`. One of them is required. An item that is there already keeps
 * its position.
 *
 * @throws PlatformError `not_found` for a neighbor of another project or epic
 */
export async function moveItem(ctx: Context, order: ManualOrder, id: number, neighbors: Neighbors): Promise<void> {
  if (neighbors.before === id || neighbors.after === id) return
  const gap = await findGap(ctx, order, id, neighbors)
  const present = await readPosition(ctx, order, id)
  if (present > (gap.low ?? -Infinity) && present < (gap.high ?? Infinity)) return
  const { low, high } = closeGap(gap)
  const distance = high - low >= 2 ? high - low : await makeRoom(ctx, order, high, id)
  await setPosition(ctx, order, id, high - Math.floor(distance / 2))
}

/** The position before all items. */
export async function findFirstPosition(ctx: Context, order: ManualOrder): Promise<number> {
  const first = await selectItems(ctx, order).orderBy(order.position).limit(1).executeTakeFirst()
  return first ? toItem(first).position - positionStep : 0
}
