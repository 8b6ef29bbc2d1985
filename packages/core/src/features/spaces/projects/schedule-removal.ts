import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { today } from '../../../kernel/context.ts'
import { assertPathAvailable } from '../../accounts/namespaces/insert-namespace.ts'
import { hidden, toEarlierPath, toScheduledPath } from '../../accounts/removal/scheduled.ts'
import { readArchivedWithGroup } from './archived-with-group.ts'
import { reloadProject } from './read-details.ts'

type ChangedFields = Partial<Pick<Project, 'archived' | 'visibility' | 'markedForDeletionOn'>> & {
  readonly archivedWithId?: number | null
}

const moveProject = async (ctx: Context, project: Project, path: string, fields: ChangedFields) => {
  const fullPath = `${project.fullPath.slice(0, -project.path.length)}${path}`
  if (fullPath !== project.fullPath) await assertPathAvailable(ctx, fullPath)
  await ctx.db
    .updateTable('project')
    .set({ ...fields, path, fullPath, updatedAt: ctx.now })
    .where('id', '=', project.id)
    .execute()
  await ctx.emit('project.updated', { before: project, after: await reloadProject(ctx, project.id) })
}

/** Has a job remove a large project. */
export async function scheduleProjectRemoval(ctx: Context, project: Project): Promise<void> {
  await moveProject(ctx, project, toScheduledPath(project), hidden)
  await ctx.enqueue('projects.remove', { projectId: project.id }, { key: String(project.id) })
}

/** Makes a project read-only, until a job removes it or it is restored. */
export const markProject = (ctx: Context, project: Project): Promise<void> =>
  moveProject(ctx, project, toScheduledPath(project), { archived: true, markedForDeletionOn: today(ctx) })

/** Removes the mark of a project. */
export const unmarkProject = async (ctx: Context, project: Project): Promise<void> =>
  moveProject(ctx, project, toEarlierPath(project), {
    ...(await readArchivedWithGroup(ctx, project.namespaceId)),
    markedForDeletionOn: null,
  })
