import type { Group, Namespace } from '../contract/namespace.ts'
import { lower } from '../db/functions.ts'
import { getUserId } from '../kernel/actor.ts'
import type { Context } from '../kernel/context.ts'
import { cachedQuery } from '../kernel/prepared-query.ts'
import { chain, type Handle, type MaybePromise } from '../kernel/store.ts'

export const namespaceColumns = [
  'id',
  'kind',
  'parentId',
  'ownerId',
  'name',
  'path',
  'fullName',
  'fullPath',
  'description',
  'visibility',
  'requestAccessEnabled',
  'avatarUrl',
  'shareWithGroupLock',
  'projectCreationLevel',
  'subgroupCreationLevel',
  'importerId',
  'archived',
  'markedForDeletionOn',
  'createdAt',
  'updatedAt',
] as const

/** `namespaceColumns` with their table, for joins. */
export const groupColumns = namespaceColumns.map((name) => `namespace.${name}` as const)

const namespaceById = cachedQuery((db, { id }: { id: number }) =>
  db.selectFrom('namespace').where('id', '=', id).select(namespaceColumns),
)

const namespaceByPath = cachedQuery((db, { path }: { path: string }) =>
  db.selectFrom('namespace').where(lower('fullPath'), '=', path).select(namespaceColumns),
)

const namespaceByOwner = cachedQuery((db, { ownerId }: { ownerId: number }) =>
  db.selectFrom('namespace').where('ownerId', '=', ownerId).select(namespaceColumns),
)

const lineageOfNamespace = cachedQuery((db, { id }: { id: number }) =>
  db.selectFrom('namespaceLineage').where('namespaceId', '=', id).orderBy('depth').select('ancestorId'),
)

/** The ids of a namespace and its ancestors, the nearest first. */
export const findLineage = (ctx: Handle, id: number): MaybePromise<readonly number[]> =>
  chain(lineageOfNamespace(ctx, { id }), (rows) => rows.map(({ ancestorId }) => ancestorId))

/** A group or personal namespace by id or full path. The row may come from the cache: return copies of it to callers. */
export function findNamespace(ctx: Context, ref: number | string): MaybePromise<Namespace | undefined> {
  const rows =
    typeof ref === 'number' ? namespaceById(ctx, { id: ref }) : namespaceByPath(ctx, { path: ref.toLowerCase() })
  return chain(rows, ([row]) => row)
}

/** A group by id or full path. */
export const findGroup = (ctx: Context, ref: number | string): MaybePromise<Group | undefined> =>
  chain(findNamespace(ctx, ref), (namespace) => (namespace?.kind === 'group' ? namespace : undefined))

/** The personal namespace of a user. */
export async function findPersonalNamespace(ctx: Context, ownerId: number): Promise<Namespace | undefined> {
  const [row] = await namespaceByOwner(ctx, { ownerId })
  return row
}

/** The current user's personal namespace. */
export const findOwnNamespace = (ctx: Context): Promise<Namespace | undefined> =>
  findPersonalNamespace(ctx, getUserId(ctx.actor))
