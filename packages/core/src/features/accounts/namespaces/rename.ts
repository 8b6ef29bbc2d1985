import type { Context } from '../../../kernel/context.ts'
import { toEarlierPath } from '../removal/scheduled.ts'
import { recordMove } from './earlier-paths.ts'

/** Updates the full names and paths of a namespace, its subgroups and their projects, parents first. */
export async function updateDescendantPaths(ctx: Context, namespaceId: number): Promise<void> {
  const rows = await ctx.db
    .selectFrom('namespace')
    .innerJoin('namespaceLineage as up', 'up.namespaceId', 'namespace.id')
    .where('up.ancestorId', '=', namespaceId)
    .orderBy('up.depth')
    .leftJoin('namespace as parent', 'parent.id', 'namespace.parentId')
    .select(['namespace.id', 'namespace.parentId', 'namespace.name', 'namespace.path', 'namespace.fullPath as before'])
    .select(['parent.fullPath as parentPath', 'parent.fullName as parentName'])
    .execute()
  const updated = new Map<number, { fullPath: string; fullName: string }>()
  for (const { id, parentId, name, path, before, parentPath, parentName } of rows) {
    const parent = (parentId !== null && updated.get(parentId)) || { fullPath: parentPath, fullName: parentName }
    const fullPath = parent.fullPath === null ? path : `${parent.fullPath}/${path}`
    const fullName = parent.fullName === null ? name : `${parent.fullName} / ${name}`
    // A path of something that will be removed is free, and nobody is redirected from it.
    if (id === namespaceId && toEarlierPath({ id, path }) === path)
      await recordMove(ctx, before, fullPath, { namespaceId })
    updated.set(id, { fullPath, fullName })
    await ctx.db.updateTable('namespace').set({ fullPath, fullName }).where('id', '=', id).execute()
    await ctx.db
      .updateTable('project')
      .set((eb) => ({ fullPath: eb(eb.val(`${fullPath}/`), '||', eb.ref('path')) }))
      .where('namespaceId', '=', id)
      .execute()
  }
}
