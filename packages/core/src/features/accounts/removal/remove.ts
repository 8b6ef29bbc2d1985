import { findNamespace } from '../../../access/namespaces.ts'
import { findProject } from '../../../access/projects.ts'
import type { Context } from '../../../kernel/context.ts'

/** Deletes a project with what remains of its contents. */
export async function removeProject(ctx: Context, projectId: number): Promise<void> {
  const project = await findProject(ctx, projectId)
  if (!project) return
  await ctx.emit('project.removed', { project: { ...project } })
  await ctx.db.deleteFrom('project').where('id', '=', projectId).execute()
}

/** Deletes a group with its subgroups and projects. */
export async function removeGroup(ctx: Context, groupId: number): Promise<void> {
  const group = await findNamespace(ctx, groupId)
  if (!group) return
  await ctx.emit('group.removed', { groupId })
  await ctx.db.deleteFrom('namespace').where('id', '=', groupId).execute()
}

/** A group and those below it. */
export const selectGroupsBelow = ({ db }: Context, groupId: number) =>
  db.selectFrom('namespaceLineage').where('ancestorId', '=', groupId).select('namespaceId as id')

/** The projects of a namespace and those below it. */
export const selectProjectsBelow = ({ db }: Context, namespaceId: number) =>
  db
    .selectFrom('project')
    .innerJoin('namespaceLineage as below', 'below.namespaceId', 'project.namespaceId')
    .where('below.ancestorId', '=', namespaceId)
    .select('project.id')
