import { namespaceColumns } from '../../../access/namespaces.ts'
import type { Group, Namespace } from '../../../contract/namespace.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, invalid } from '../../../kernel/errors.ts'
import { defined } from '../../../shared/defined.ts'
import { forgetPath } from './earlier-paths.ts'
import { insertLineage } from './lineage.ts'
import { isReservedTopLevel } from './reserved-names.ts'
import type { StoredGroupSettings } from './settings.ts'

/** Groups, users and projects share one path namespace; paths are case-insensitive. */
export async function isPathTaken(ctx: Context, fullPath: string): Promise<boolean> {
  const path = fullPath.toLowerCase()
  const namespace = await ctx.db
    .selectFrom('namespace')
    .where(lower('fullPath'), '=', path)
    .select('id')
    .executeTakeFirst()
  const project = await ctx.db.selectFrom('project').where(lower('fullPath'), '=', path).select('id').executeTakeFirst()
  return namespace !== undefined || project !== undefined
}

/** @throws PlatformError `conflict` when a group, user or project has the path, `invalid` for a reserved name at the top level */
export async function assertPathAvailable(ctx: Context, fullPath: string): Promise<void> {
  if (!fullPath.includes('/') && isReservedTopLevel(fullPath, ctx.actor))
    throw invalid({ path: ['is a reserved name'] })
  if (await isPathTaken(ctx, fullPath)) throw conflict('Path has already been taken')
}

export type NewNamespace = Pick<Namespace, 'kind' | 'ownerId' | 'name' | 'path' | 'visibility'> & {
  readonly parent?: Group
  readonly description?: string | undefined
  readonly requestAccessEnabled?: boolean | undefined
  readonly avatarUrl?: string | null | undefined
  readonly shareWithGroupLock?: boolean | undefined
  readonly projectCreationLevel?: Namespace['projectCreationLevel'] | undefined
  readonly subgroupCreationLevel?: Namespace['subgroupCreationLevel'] | undefined
  readonly settings?: StoredGroupSettings | null | undefined
  readonly importerId?: number | undefined
}

/** Inserts a namespace and its lineage; for a group, also the registration token of its runners. */
export async function insertNamespace(ctx: Context, { parent, ...input }: NewNamespace): Promise<Namespace> {
  const fullPath = parent ? `${parent.fullPath}/${input.path}` : input.path
  await assertPathAvailable(ctx, fullPath)
  const [namespace] = await ctx.db
    .insertInto('namespace')
    .values({
      ...input,
      description: input.description ?? '',
      requestAccessEnabled: input.requestAccessEnabled ?? true,
      avatarUrl: input.avatarUrl ?? null,
      shareWithGroupLock: input.shareWithGroupLock ?? false,
      projectCreationLevel: input.projectCreationLevel ?? 'developer',
      subgroupCreationLevel: input.subgroupCreationLevel ?? 'owner',
      settings: input.settings ?? null,
      archived: false,
      archivedWithId: null,
      markedForDeletionOn: null,
      importerId: input.importerId ?? parent?.importerId ?? null,
      parentId: parent?.id ?? null,
      fullPath,
      fullName: parent ? `${parent.fullName} / ${input.name}` : input.name,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    } satisfies CompleteRow<'namespace'>)
    .returning(namespaceColumns)
    .execute()
  const { id } = defined(namespace)
  await forgetPath(ctx, fullPath)
  await insertLineage(ctx, id, parent?.id)
  if (input.kind === 'group') {
    const token = Buffer.from(ctx.ports.random.bytes(20)).toString('base64url')
    await ctx.db
      .insertInto('runnersToken')
      .values({ groupId: id, token } satisfies CompleteRow<'runnersToken'>)
      .execute()
  }
  return defined(namespace)
}
