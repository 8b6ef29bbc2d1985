import type { Context } from '../../../kernel/context.ts'
import { forbidden } from '../../../kernel/errors.ts'
import type { Settings } from '../../administration/settings/definition.ts'
import type { StoredGroupSettings } from './settings.ts'

/** The settings that were set for a group itself. */
export const readStoredSettings = async ({ db }: Context, groupId: number): Promise<StoredGroupSettings> =>
  (await db.selectFrom('namespace').where('id', '=', groupId).select('settings').executeTakeFirst())?.settings ?? {}

/** The stored settings of a group and of those above, the nearest first. */
export const readLineage = async (ctx: Context, namespaceId: number) =>
  ctx.db
    .selectFrom('namespaceLineage')
    .innerJoin('namespace', 'namespace.id', 'namespaceLineage.ancestorId')
    .where('namespaceLineage.namespaceId', '=', namespaceId)
    .orderBy('namespaceLineage.depth')
    .select(['namespace.id', 'namespace.settings'])
    .execute()

/** The name of the default branch of new projects in a namespace: that of the nearest group with one, otherwise that of the instance. */
export const findDefaultBranchName = async (
  ctx: Context,
  namespaceId: number,
  { defaultBranchName }: Pick<Settings, 'defaultBranchName'>,
): Promise<string> => {
  const lineage = await readLineage(ctx, namespaceId)
  return (
    lineage.find(({ settings }) => settings?.defaultBranch)?.settings?.defaultBranch ?? (defaultBranchName || 'main')
  )
}

/** The limit of the size of artifacts, in MB, of the nearest group with one. */
export const findMaxArtifactsSize = async (ctx: Context, namespaceId: number): Promise<number | undefined> => {
  const sizes = (await readLineage(ctx, namespaceId)).map(({ settings }) => settings?.maxArtifactsSize)
  return sizes.find((size) => typeof size === 'number') ?? undefined
}

/** @throws PlatformError `forbidden` if a group of the project has a `membershipLock` */
export const assertMembersUnlocked = async (ctx: Context, project: { readonly namespaceId: number }): Promise<void> => {
  if (ctx.actor.kind === 'system') return
  const lineage = await readLineage(ctx, project.namespaceId)
  if (lineage.some(({ settings }) => settings?.membershipLock))
    throw forbidden('The group does not allow adding members to its projects')
}

/** The domains of e-mail addresses that the top-level group of a namespace permits for members; empty if it permits all. */
export const findAllowedEmailDomains = async (ctx: Context, namespaceId: number): Promise<readonly string[]> => {
  const list = (await readLineage(ctx, namespaceId)).at(-1)?.settings?.allowedEmailDomainsList ?? ''
  return list
    .split(',')
    .map((domain) => domain.trim())
    .filter(Boolean)
}

export type GitProtocol = 'http' | 'ssh'

/** Whether all groups of a project permit git over a protocol. */
export const isProtocolAllowed = async (ctx: Context, namespaceId: number, protocol: GitProtocol): Promise<boolean> =>
  (await readLineage(ctx, namespaceId)).every(({ settings }) =>
    ['all', protocol, undefined].includes(settings?.enabledGitAccessProtocol),
  )

type Restriction = 'preventForkingOutsideGroup' | 'preventSharingGroupsOutsideHierarchy'

/** Whether the top-level group of a namespace reserves something for namespaces inside it, and the target is outside. */
export const isOutside = async (
  ctx: Context,
  restriction: Restriction,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<boolean> => {
  const root = (await readLineage(ctx, from)).at(-1)
  if (!root?.settings?.[restriction]) return false
  return (await readLineage(ctx, to)).at(-1)?.id !== root.id
}
