import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden, notFound } from '../../../kernel/errors.ts'
import { type ReplicaNode, withTrailingSlash } from './replica-node.ts'

/** All nodes with their last reported status. */
export const selectNodes = (ctx: Context) =>
  ctx.db
    .selectFrom('replicaNode')
    .select(['id', 'name', 'url', 'internalUrl', 'primary', 'enabled'])
    .select(['filesMaxCapacity', 'reposMaxCapacity', 'verificationMaxCapacity', 'containerRepositoriesMaxCapacity'])
    .select(['syncObjectStorage', 'selectiveSyncType', 'selectiveSyncShards', 'selectiveSyncNamespaceIds'])
    .select(['minimumReverificationInterval', 'status', 'statusAt'])

export type NodeRow = Awaited<ReturnType<ReturnType<typeof selectNodes>['executeTakeFirstOrThrow']>>

/** Whether a node is this site: its name or its URL equals the URL of the site. */
const isCurrent = ({ call }: Context, { name, url }: Pick<NodeRow, 'name' | 'url'>): boolean => {
  if (call.siteUrl === undefined) return false
  const siteUrl = withTrailingSlash(call.siteUrl).toLowerCase()
  return [name, url].some((text) => withTrailingSlash(text).toLowerCase() === siteUrl)
}

export const toNode = (ctx: Context, { status, statusAt, internalUrl, ...row }: NodeRow): ReplicaNode => ({
  ...row,
  url: withTrailingSlash(row.url),
  internalUrl: withTrailingSlash(internalUrl ?? row.url),
  current: isCurrent(ctx, row),
})

export async function findNode(ctx: Context, id: number): Promise<NodeRow> {
  const row = await selectNodes(ctx).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** Problems with the name or role of a node because of other nodes. `ownId`: the node to ignore. */
export async function findConflicts(
  ctx: Context,
  { name, primary }: { readonly name: string; readonly primary: boolean },
  ownId = 0,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const others = selectNodes(ctx).where('id', '!=', ownId)
  const sameName = await others.where(lower('name'), '=', name.toLowerCase()).executeTakeFirst()
  const otherPrimary = primary && (await others.where('primary', '=', true).executeTakeFirst())
  return {
    ...(sameName && { name: ['has already been taken'] }),
    ...(otherPrimary && { primary: ['node already exists'] }),
  }
}

/**
 * Rejects changes of nodes on a secondary node. A site that is not a node may change them.
 *
 * @throws PlatformError `forbidden` on a site that is a secondary node
 */
export async function assertNotSecondary(ctx: Context): Promise<void> {
  const current = (await selectNodes(ctx).execute()).find((row) => isCurrent(ctx, row))
  if (current && !current.primary) throw forbidden('Only a primary node accepts this', 'secondary')
}
