import type { ExpressionBuilder } from 'kysely'
import { groupIdsWithAccess } from '../../../access/access-conditions.ts'
import { withGrants } from '../../../access/grants.ts'
import { Access, isMoreVisible } from '../../../access/levels.ts'
import { namespace as namespaceSubject, project } from '../../../access/subjects.ts'
import type { Database } from '../../../contract/database.ts'
import { isAdministrator } from '../../../kernel/actor.ts'
import { invalid } from '../../../kernel/errors.ts'
import { IdOrName } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { recordMove } from '../../accounts/namespaces/earlier-paths.ts'
import { assertPathAvailable } from '../../accounts/namespaces/insert-namespace.ts'
import { selectReadableGroups } from '../groups/group-list.ts'
import { groupPage, searchInput } from '../groups/group-search.ts'
import { assertNotArchivedWithGroup } from './archived-with-group.ts'
import { replaceGroupItems } from './group-items.ts'
import { assertBelowProjectLimit } from './project-limit.ts'
import type { ProjectDetails } from './project-record.ts'
import { readProjectDetails, reloadProject } from './read-details.ts'

const tooVisibleError = () => invalid({ visibility: ['is not allowed: the new namespace is less visible'] })

export const projectTransfer = {
  /**
   * Moves a project to another group or personal namespace, in which the current user can create projects. Labels and milestones of
   * groups that the project is no longer in become labels and milestones of the project. Requests for the old path are
   * redirected until another project or group has it.
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
      return readProjectDetails(ctx, after)
    },
  }),

  /** Lists the groups that a project can be transferred to, by name: those in which the current user can create projects. */
  listTransferLocations: query({
    on: project,
    can: 'project.transfer',
    input: searchInput,
    async run(ctx, input, { project }) {
      const rows = selectReadableGroups(await withGrants(ctx)).where('namespace.id', '!=', project.namespaceId)
      if (isAdministrator(ctx.actor)) return groupPage(ctx, rows, input)
      const isOpenTo = (eb: ExpressionBuilder<Database, 'namespace'>, level: 'developer' | 'maintainer' | 'owner') =>
        eb.and([
          eb('namespace.projectCreationLevel', '=', level),
          eb('namespace.id', 'in', groupIdsWithAccess(ctx, Access[level])),
        ])
      return groupPage(
        ctx,
        rows.where((eb) => eb.or([isOpenTo(eb, 'developer'), isOpenTo(eb, 'maintainer'), isOpenTo(eb, 'owner')])),
        input,
      )
    },
  }),
}
