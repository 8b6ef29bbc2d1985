import { findProject } from '../../../access/projects.ts'
import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { hidden, toScheduledPath } from '../../accounts/removal/scheduled.ts'

/** Has a job remove a large project. */
export async function scheduleProjectRemoval(ctx: Context, project: Project): Promise<void> {
  const path = toScheduledPath(project)
  const fullPath = `${project.fullPath.slice(0, -project.path.length)}${path}`
  await ctx.db
    .updateTable('project')
    .set({ ...hidden, path, fullPath, updatedAt: ctx.now })
    .where('id', '=', project.id)
    .execute()
  const after = defined(await findProject(ctx, project.id))
  await ctx.emit('project.updated', { before: project, after: { ...after } })
  await ctx.enqueue('projects.remove', { projectId: project.id }, { key: String(project.id) })
}
