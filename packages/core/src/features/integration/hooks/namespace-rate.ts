import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { cachedQuery, preparedQuery } from '../../../kernel/prepared-query.ts'
import { deleteExpired } from '../../../kernel/rate-limit.ts'
import { defined } from '../../../shared/defined.ts'
import type { HookOwner } from './queries.ts'

/** Requests per minute to all hooks in one top-level group or personal namespace. */
const maxPerMinute = { free: 500, paid: 6_000 } as const

const rootOfGroup = cachedQuery((db, { groupId }: { groupId: number | null }) =>
  db
    .selectFrom('namespaceLineage as up')
    .innerJoin('namespace as root', 'root.id', 'up.ancestorId')
    .where('up.namespaceId', '=', defined(groupId))
    .where('root.parentId', 'is', null)
    .select('root.id'),
)

const rootOfProject = cachedQuery((db, { projectId }: { projectId: number | null }) =>
  db
    .selectFrom('project')
    .innerJoin('namespaceLineage as up', 'up.namespaceId', 'project.namespaceId')
    .innerJoin('namespace as root', 'root.id', 'up.ancestorId')
    .where('project.id', '=', defined(projectId))
    .where('root.parentId', 'is', null)
    .select('root.id'),
)

/** A minute in which requests to the hooks of a namespace are counted; undefined for a system hook, which belongs to none. */
const getCounter = async (ctx: Context, owner: HookOwner, minute: string): Promise<string | undefined> => {
  if (owner.projectId === null && owner.groupId === null) return undefined
  const [root] = await (owner.projectId === null ? rootOfGroup(ctx, owner) : rootOfProject(ctx, owner))
  return root && `hook requests namespace:${root.id} ${minute}`
}

const countQuery = preparedQuery((db, { key }: { key: string }) =>
  db.selectFrom('rateLimit').where('key', '=', key).select('hits'),
)

const readCount = async (ctx: Context, key: string) => {
  const [row] = await countQuery(ctx, { key })
  return row?.hits[0] ?? 0
}

/**
 * Whether the hooks of the top-level namespace have received as many requests as allowed in this minute. Several hooks that are
 * sent requests at the same time can exceed the limit by those that are not counted yet.
 */
export const isNamespaceAtLimit = async (
  ctx: Context,
  owner: HookOwner,
  minute: string,
  unstored: number,
): Promise<boolean> => {
  const key = await getCounter(ctx, owner, minute)
  return key !== undefined && (await readCount(ctx, key)) + unstored >= maxPerMinute[ctx.tier]
}

/** Counts requests to a hook for its top-level namespace. */
export const countNamespaceRequests = async (
  ctx: Context,
  owner: HookOwner,
  minute: { readonly name: string; readonly end: string },
  count: number,
): Promise<void> => {
  const key = await getCounter(ctx, owner, minute.name)
  if (key === undefined) return
  await ctx.lock?.([{ name: `rate limit ${key}` }])
  const earlier = await readCount(ctx, key)
  const hits = [earlier + count]
  await ctx.db
    .insertInto('rateLimit')
    .values({ key, hits, expiresAt: minute.end } satisfies CompleteRow<'rateLimit'>)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ hits }))
    .execute()
  if (earlier === 0) await deleteExpired(ctx)
}
