import type { Context } from '../../kernel/context.ts'
import { everywhere, type StoredSetting, unset } from './queries.ts'

/** Where a fact happened. */
export interface FactPlace {
  readonly projectId: number | null
  /** The project's namespace, or the group itself. */
  readonly namespaceId: number
}

type Rows = readonly (StoredSetting & {
  readonly userId: number
  readonly projectId: number | null
  readonly groupId: number | null
})[]

/** Users in one query: databases bound the number of parameters. */
const batch = 500

const settingsOf = async (ctx: Context, place: FactPlace, userIds: readonly number[]): Promise<Rows> => {
  const above = ctx.db.selectFrom('namespaceLineage').where('namespaceId', '=', place.namespaceId).select('ancestorId')
  const rows: Rows[number][] = []
  for (let start = 0; start < userIds.length; start += batch) {
    rows.push(
      ...(await ctx.db
        .selectFrom('notificationSetting')
        .where('userId', 'in', userIds.slice(start, start + batch))
        .where((eb) =>
          eb.or([
            eb('projectId', '=', place.projectId ?? 0),
            eb('groupId', 'in', above),
            eb.and([eb('projectId', 'is', null), eb('groupId', 'is', null)]),
          ]),
        )
        .select(['userId', 'projectId', 'groupId', 'level', 'notificationEmail', 'events'])
        .execute()),
    )
  }
  return rows
}

const depthsAbove = async (ctx: Context, namespaceId: number): Promise<ReadonlyMap<number, number>> => {
  const rows = await ctx.db
    .selectFrom('namespaceLineage')
    .where('namespaceId', '=', namespaceId)
    .select(['ancestorId', 'depth'])
    .execute()
  return new Map(rows.map(({ ancestorId, depth }) => [ancestorId, depth]))
}

/**
 * What each user wants to be told in a place: the project's setting, else that of the nearest group that does not leave it
 * to what is above, else the user's own. `email` is the address of the last one, null for the user's own.
 */
export async function settingsInForce(
  ctx: Context,
  place: FactPlace,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, { readonly setting: StoredSetting; readonly email: string | null }>> {
  const rows = await settingsOf(ctx, place, userIds)
  const depths = await depthsAbove(ctx, place.namespaceId)
  const byUser = new Map<number, Rows[number][]>()
  for (const row of rows) byUser.set(row.userId, [...(byUser.get(row.userId) ?? []), row])
  const distance = ({ projectId, groupId }: Rows[number]) => {
    if (projectId !== null) return -1
    return groupId === null ? Number.POSITIVE_INFINITY : (depths.get(groupId) as number)
  }
  return new Map(
    userIds.map((userId) => {
      const own = (byUser.get(userId) ?? []).sort((a, b) => distance(a) - distance(b))
      const setting = own.find(({ level }) => level !== 'global') ?? unset(everywhere)
      const email = own.find(({ projectId, groupId }) => projectId === null && groupId === null)?.notificationEmail
      return [userId, { setting, email: email ?? null }]
    }),
  )
}
