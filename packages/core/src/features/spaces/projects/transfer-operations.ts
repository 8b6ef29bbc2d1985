import type { ExpressionBuilder } from 'kysely'
import { groupIdsWithAccess } from '../../../access/access-conditions.ts'
import { withGrants } from '../../../access/grants.ts'
import { Access } from '../../../access/levels.ts'
import { namespace as namespaceSubject, project } from '../../../access/subjects.ts'
import type { Database } from '../../../contract/database.ts'
import { isAdministrator } from '../../../kernel/actor.ts'
import { IdOrName } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { selectReadableGroups } from '../groups/group-list.ts'
import { groupPage, searchInput } from '../groups/group-search.ts'
import type { ProjectDetails } from './project-record.ts'
import { readProjectDetails } from './read-details.ts'
import { transferProject } from './transfer-project.ts'

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
      const after = await transferProject(ctx, project, target)
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
