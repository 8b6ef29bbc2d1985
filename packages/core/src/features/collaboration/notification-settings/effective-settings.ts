import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { defaultSetting, globalScope, type StoredSetting } from './queries.ts'

/** Where an event happened. */
export interface NotificationScope {
  readonly projectId: number | null
  /** The project's namespace, or the group itself. */
  readonly namespaceId: number
}

type SettingRows = readonly (StoredSetting & {
  readonly userId: number
  readonly projectId: number | null
  readonly groupId: number | null
})[]

/** Users per query: databases limit the number of parameters. */
const batchSize = 500

const findSettings = async (
  ctx: Context,
  scope: NotificationScope,
  userIds: readonly number[],
): Promise<SettingRows> => {
  const ancestors = ctx.db
    .selectFrom('namespaceLineage')
    .where('namespaceId', '=', scope.namespaceId)
    .select('ancestorId')
  const rows: SettingRows[number][] = []
  for (let start = 0; start < userIds.length; start += batchSize) {
    rows.push(
      ...(await ctx.db
        .selectFrom('notificationSetting')
        .where('userId', 'in', userIds.slice(start, start + batchSize))
        .where((eb) =>
          eb.or([
            eb('projectId', '=', scope.projectId ?? 0),
            eb('groupId', 'in', ancestors),
            eb.and([eb('projectId', 'is', null), eb('groupId', 'is', null)]),
          ]),
        )
        .select(['userId', 'projectId', 'groupId', 'level', 'notificationEmail', 'events'])
        .execute()),
    )
  }
  return rows
}

const readAncestorDepths = async (ctx: Context, namespaceId: number): Promise<ReadonlyMap<number, number>> => {
  const rows = await ctx.db
    .selectFrom('namespaceLineage')
    .where('namespaceId', '=', namespaceId)
    .select(['ancestorId', 'depth'])
    .execute()
  return new Map(rows.map(({ ancestorId, depth }) => [ancestorId, depth]))
}

/**
 * The setting of each user that applies in a scope: that of the project, else of the nearest group, else the global one,
 * without those of level `global`. `email` is the address of the global setting, null for the user's primary address.
 */
export async function findEffectiveSettings(
  ctx: Context,
  scope: NotificationScope,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, { readonly setting: StoredSetting; readonly email: string | null }>> {
  const rows = await findSettings(ctx, scope, userIds)
  const depths = await readAncestorDepths(ctx, scope.namespaceId)
  const byUser = new Map<number, SettingRows[number][]>()
  for (const row of rows) byUser.set(row.userId, [...(byUser.get(row.userId) ?? []), row])
  const distance = ({ projectId, groupId }: SettingRows[number]) => {
    if (projectId !== null) return -1
    return groupId === null ? Number.POSITIVE_INFINITY : defined(depths.get(groupId))
  }
  return new Map(
    userIds.map((userId) => {
      const stored = (byUser.get(userId) ?? []).sort((a, b) => distance(a) - distance(b))
      const setting = stored.find(({ level }) => level !== 'global') ?? defaultSetting(globalScope)
      const email = stored.find(({ projectId, groupId }) => projectId === null && groupId === null)?.notificationEmail
      return [userId, { setting, email: email ?? null }]
    }),
  )
}
