import { isMoreVisible } from '../../../access/levels.ts'
import { namespace as namespaceSubject, project } from '../../../access/subjects.ts'
import { invalid } from '../../../kernel/errors.ts'
import { IdOrName } from '../../../kernel/inputs.ts'
import { command } from '../../../kernel/operation.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { assertPathAvailable } from '../../accounts/namespaces/insert-namespace.ts'
import { replaceGroupItems } from './group-items.ts'
import { assertBelowProjectLimit } from './project-limit.ts'
import type { ProjectDetails } from './project-record.ts'
import { readProjectDetails, reloadProject } from './read-details.ts'

const tooVisibleError = () => invalid({ visibility: ['is not allowed: the new namespace is less visible'] })

export const projectTransfer = {
  /**
   * Moves a project to another group or personal namespace, in which the current user can create projects. Labels and milestones of
   * groups that the project is no longer in become labels and milestones of the project. Old URLs stop working.
   *
   * @throws PlatformError `invalid` if the namespace is less visible or contains the project, `conflict` when the path is taken
   */
  transfer: command({
    on: project,
    can: 'project.transfer',
    serializes: 'instance',
    input: {
      /** Id or full path of the group or user that receives the project. */
      namespace: IdOrName,
    },
    async run(ctx, { namespace: ref }, { project }): Promise<ProjectDetails> {
      const target = await loadVisible(ctx, namespaceSubject, { namespace: ref })
      assertAbility(ctx.actor, target, 'project.create')
      const { namespace } = target
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
      await replaceGroupItems(ctx, { id: project.id, namespaceId: namespace.id })
      const after = await reloadProject(ctx, project.id)
      await ctx.emit('project.updated', { before: project, after })
      return readProjectDetails(ctx, after)
    },
  }),
}
