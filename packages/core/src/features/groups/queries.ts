import { lower } from '../../db/functions.ts'
import { personId } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict } from '../../kernel/errors.ts'
import { remembered } from '../../kernel/prepared.ts'
import { after, type Soon } from '../../kernel/store.ts'
import type { Group, Namespace } from './group.ts'
import type { GivenGroupSettings } from './settings.ts'

const columns = [
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
  'createdAt',
  'updatedAt',
] as const

/** Those of a group, for queries over rows of `namespace`. */
export const groupColumns = columns.map((name) => `namespace.${name}` as const)

const namespaceById = remembered((db, { id }: { id: number }) =>
  db.selectFrom('namespace').where('id', '=', id).select(columns),
)

const namespaceByPath = remembered((db, { path }: { path: string }) =>
  db.selectFrom('namespace').where(lower('fullPath'), '=', path).select(columns),
)

const namespaceByOwner = remembered((db, { ownerId }: { ownerId: number }) =>
  db.selectFrom('namespace').where('ownerId', '=', ownerId).select(columns),
)

/** A group or personal namespace by id or full path. What is found is shared with all who ask: not to be handed out as it is. */
export function findNamespace(ctx: Context, ref: number | string): Soon<Namespace | undefined> {
  const found =
    typeof ref === 'number' ? namespaceById(ctx, { id: ref }) : namespaceByPath(ctx, { path: ref.toLowerCase() })
  return after(found, ([row]) => row)
}

/** A group by id or full path. */
export const findGroup = (ctx: Context, ref: number | string): Soon<Group | undefined> =>
  after(findNamespace(ctx, ref), (found) => (found?.kind === 'group' ? found : undefined))

/** The namespace of a user. */
export async function personalNamespaceOf(ctx: Context, ownerId: number): Promise<Namespace | undefined> {
  const [row] = await namespaceByOwner(ctx, { ownerId })
  return row
}

/** The caller's own namespace. */
export const personalNamespace = (ctx: Context): Promise<Namespace | undefined> =>
  personalNamespaceOf(ctx, personId(ctx.actor))

/** Groups, users and projects share one space of paths. */
export async function refuseTakenPath(ctx: Context, fullPath: string): Promise<void> {
  const path = fullPath.toLowerCase()
  const namespace = await ctx.db
    .selectFrom('namespace')
    .where(lower('fullPath'), '=', path)
    .select('id')
    .executeTakeFirst()
  const project = await ctx.db.selectFrom('project').where(lower('fullPath'), '=', path).select('id').executeTakeFirst()
  if (namespace || project) throw conflict('Path has already been taken')
}

type NewNamespace = Pick<Namespace, 'kind' | 'ownerId' | 'name' | 'path' | 'visibility'> & {
  readonly parent?: Group
  readonly description?: string | undefined
  readonly requestAccessEnabled?: boolean | undefined
  readonly avatarUrl?: string | null | undefined
  readonly shareWithGroupLock?: boolean | undefined
  readonly projectCreationLevel?: Namespace['projectCreationLevel'] | undefined
  readonly subgroupCreationLevel?: Namespace['subgroupCreationLevel'] | undefined
  readonly settings?: GivenGroupSettings | undefined
}

/** Adds a namespace and its line of ancestors, and the token of a group's runners. */
export async function insertNamespace(ctx: Context, { parent, ...given }: NewNamespace): Promise<Namespace> {
  const fullPath = parent ? `${parent.fullPath}/${given.path}` : given.path
  await refuseTakenPath(ctx, fullPath)
  const [namespace] = await ctx.db
    .insertInto('namespace')
    .values({
      ...given,
      description: given.description ?? '',
      requestAccessEnabled: given.requestAccessEnabled ?? true,
      avatarUrl: given.avatarUrl ?? null,
      shareWithGroupLock: given.shareWithGroupLock ?? false,
      projectCreationLevel: given.projectCreationLevel ?? 'developer',
      subgroupCreationLevel: given.subgroupCreationLevel ?? 'owner',
      settings: given.settings ?? null,
      parentId: parent?.id ?? null,
      fullPath,
      fullName: parent ? `${parent.fullName} / ${given.name}` : given.name,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .returning(columns)
    .execute()
  const { id } = namespace as Namespace
  await insertLineage(ctx, id, parent?.id)
  if (given.kind === 'group') {
    const token = Buffer.from(ctx.ports.random.bytes(20)).toString('base64url')
    await ctx.db.insertInto('runnersToken').values({ groupId: id, token }).execute()
  }
  return namespace as Namespace
}

const insertLineage = async (ctx: Context, namespaceId: number, parentId: number | undefined) => {
  await ctx.db.insertInto('namespaceLineage').values({ namespaceId, ancestorId: namespaceId, depth: 0 }).execute()
  if (parentId === undefined) return
  await ctx.db
    .insertInto('namespaceLineage')
    .columns(['namespaceId', 'ancestorId', 'depth'])
    .expression((eb) =>
      eb
        .selectFrom('namespaceLineage')
        .where('namespaceId', '=', parentId)
        .select(({ val }) => [val(namespaceId).as('namespaceId'), 'ancestorId', eb('depth', '+', 1).as('depth')]),
    )
    .execute()
}
