import { lower } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { forbidden, notFound } from '../../kernel/errors.ts'
import { type ReplicaNode, withSlash } from './replica-node.ts'

/** All nodes, with what they last told of themselves. */
export const nodes = (ctx: Context) =>
  ctx.db
    .selectFrom('replicaNode')
    .select(['id', 'name', 'url', 'internalUrl', 'primary', 'enabled'])
    .select(['filesMaxCapacity', 'reposMaxCapacity', 'verificationMaxCapacity', 'containerRepositoriesMaxCapacity'])
    .select(['syncObjectStorage', 'selectiveSyncType', 'selectiveSyncShards', 'selectiveSyncNamespaceIds'])
    .select(['minimumReverificationInterval', 'status', 'statusAt'])

export type NodeRow = Awaited<ReturnType<ReturnType<typeof nodes>['executeTakeFirstOrThrow']>>

/** A node is named by its site's own name or by its address. */
const isCurrent = ({ call }: Context, { name, url }: Pick<NodeRow, 'name' | 'url'>): boolean => {
  if (call.siteUrl === undefined) return false
  const here = withSlash(call.siteUrl).toLowerCase()
  return [name, url].some((address) => withSlash(address).toLowerCase() === here)
}

export const toNode = (ctx: Context, { status, statusAt, internalUrl, ...row }: NodeRow): ReplicaNode => ({
  ...row,
  url: withSlash(row.url),
  internalUrl: withSlash(internalUrl ?? row.url),
  current: isCurrent(ctx, row),
})

export async function findNode(ctx: Context, id: number): Promise<NodeRow> {
  const row = await nodes(ctx).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** What is wrong with a name or a role because of other nodes. */
export async function clashes(
  ctx: Context,
  { name, primary }: { readonly name: string; readonly primary: boolean },
  own = 0,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const others = nodes(ctx).where('id', '!=', own)
  const named = await others.where(lower('name'), '=', name.toLowerCase()).executeTakeFirst()
  const first = primary && (await others.where('primary', '=', true).executeTakeFirst())
  return {
    ...(named && { name: ['has already been taken'] }),
    ...(first && { primary: ['node already exists'] }),
  }
}

/**
 * Only a primary node changes nodes. A site that is no node at all has no primary to ask and may.
 *
 * @throws PlatformError `forbidden` on a site that is a secondary node
 */
export async function refuseOnSecondary(ctx: Context): Promise<void> {
  const here = (await nodes(ctx).execute()).find((row) => isCurrent(ctx, row))
  if (here && !here.primary) throw forbidden('Only a primary node accepts this', 'secondary')
}
