import type { Context } from '../../kernel/context.ts'

/** Writes the full names and paths of a group and of everything below it anew, parents first. */
export async function renameBelow(ctx: Context, groupId: number): Promise<void> {
  const rows = await ctx.db
    .selectFrom('namespace')
    .innerJoin('namespaceLineage as up', 'up.namespaceId', 'namespace.id')
    .where('up.ancestorId', '=', groupId)
    .orderBy('up.depth')
    .leftJoin('namespace as parent', 'parent.id', 'namespace.parentId')
    .select(['namespace.id', 'namespace.parentId', 'namespace.name', 'namespace.path'])
    .select(['parent.fullPath as parentPath', 'parent.fullName as parentName'])
    .execute()
  const written = new Map<number, { fullPath: string; fullName: string }>()
  for (const { id, parentId, name, path, parentPath, parentName } of rows) {
    const above = (parentId !== null && written.get(parentId)) || { fullPath: parentPath, fullName: parentName }
    const fullPath = above.fullPath === null ? path : `${above.fullPath}/${path}`
    const fullName = above.fullName === null ? name : `${above.fullName} / ${name}`
    written.set(id, { fullPath, fullName })
    await ctx.db.updateTable('namespace').set({ fullPath, fullName }).where('id', '=', id).execute()
    await ctx.db
      .updateTable('project')
      .set((eb) => ({ fullPath: eb(eb.val(`${fullPath}/`), '||', eb.ref('path')) }))
      .where('namespaceId', '=', id)
      .execute()
  }
}
