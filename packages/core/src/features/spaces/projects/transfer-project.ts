import { isMoreVisible } from '../../../access/levels.ts'
import type { Project } from '../../../contract/project.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { recordMove } from '../../accounts/namespaces/earlier-paths.ts'
import { assertPathAvailable } from '../../accounts/namespaces/insert-namespace.ts'
import { assertNotArchivedWithGroup } from './archived-with-group.ts'
import { replaceGroupItems } from './group-items.ts'
import { assertBelowProjectLimit } from './project-limit.ts'
import { reloadProject } from './read-details.ts'

const tooVisibleError = () => invalid({ visibility: ['is not allowed: the new namespace is less visible'] })

/**
 * Moves a project to a namespace in which the current user can create projects.
 *
 * @throws PlatformError `invalid` if the namespace is less visible or contains the project, `conflict` when the path is taken
 */
export const transferProject = async (
  ctx: Context,
  project: Project,
  target: Subjects['namespace'],
): Promise<Project> => {
  assertAbility(ctx.actor, target, 'project.create')
  const { namespace } = target
  await assertNotArchivedWithGroup(ctx, project.id)
  if (namespace.id === project.namespaceId) throw invalid('Project is already in this namespace.')
  if (isMoreVisible(project.visibility, namespace.visibility)) throw tooVisibleError()
  const fullPath = `${namespace.fullPath}/${project.path}`
  await assertPathAvailable(ctx, fullPath)
  await assertBelowProjectLimit(ctx, namespace)
  await ctx.db
    .updateTable('project')
    .set({ namespaceId: namespace.id, fullPath, updatedAt: ctx.now })
    .where('id', '=', project.id)
    .execute()
  await recordMove(ctx, project.fullPath, fullPath, { projectId: project.id })
  await replaceGroupItems(ctx, { id: project.id, namespaceId: namespace.id })
  const after = await reloadProject(ctx, project.id)
  await ctx.emit('project.updated', { before: project, after })
  return after
}
