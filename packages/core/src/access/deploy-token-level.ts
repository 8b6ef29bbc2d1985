import type { DeployTokenActor } from '../kernel/actor.ts'
import { cachedQuery } from '../kernel/prepared-query.ts'
import { chain, type Handle, type MaybePromise } from '../kernel/store.ts'
import { Access } from './levels.ts'

const queryAncestor = cachedQuery((db, { namespaceId, ancestorId }: { namespaceId: number; ancestorId: number }) =>
  db
    .selectFrom('namespaceLineage')
    .where('namespaceId', '=', namespaceId)
    .where('ancestorId', '=', ancestorId)
    .select('ancestorId'),
)

/** A project, or only a namespace. */
interface Place {
  readonly id?: number
  readonly namespaceId: number
}

/**
 * The level of a deploy token on a project or group: that of a reporter, who reads code, images and packages, or of a developer
 * if one of its scopes writes; 0 outside its project or group. It gives access only to operations that name one of the scopes
 * (`assertTokenScope`).
 */
export const getDeployTokenLevel = (
  handle: Handle,
  { projectId, groupId, scopes }: DeployTokenActor,
  { id, namespaceId }: Place,
): MaybePromise<number> => {
  const level = scopes.some((scope) => scope.startsWith('write_')) ? Access.developer : Access.reporter
  if (groupId === null) return id !== undefined && id === projectId ? level : Access.none
  return chain(queryAncestor(handle, { namespaceId, ancestorId: groupId }), ([row]) => (row ? level : Access.none))
}
