import * as v from 'valibot'
import { groupIdsWithAccess } from '../../../access/access-conditions.ts'
import { withGrants } from '../../../access/grants.ts'
import { Access, isMoreVisible } from '../../../access/levels.ts'
import {
  group,
  namespace as namespaceSubject,
  parentGroup,
  project as projectSubject,
} from '../../../access/subjects.ts'
import { isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { IdOrName } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { assertPathAvailable } from '../../accounts/namespaces/insert-namespace.ts'
import { replaceLineage } from '../../accounts/namespaces/lineage.ts'
import { updateDescendantPaths } from '../../accounts/namespaces/rename.ts'
import { replaceGroupItems } from '../projects/group-items.ts'
import { transferProject } from '../projects/transfer-project.ts'
import { readChangedGroup } from './group-details.ts'
import { selectReadableGroups } from './group-list.ts'
import type { GroupDetails } from './group-record.ts'
import { groupPage, searchInput } from './group-search.ts'

const tooVisibleError = () => invalid({ visibility: ['is not allowed: the new namespace is less visible'] })

const selectProjectsBelow = ({ db }: Context, groupId: number) =>
  db
    .selectFrom('project')
    .innerJoin('namespaceLineage as below', 'below.namespaceId', 'project.namespaceId')
    .where('below.ancestorId', '=', groupId)
    .orderBy('project.id')
    .select(['project.id', 'project.namespaceId'])
    .execute()

export const groupTransfer = {
  /**
   * Moves a group with its subgroups and projects into another group, or to the top level. Labels and milestones of groups above
   * that are out of reach become labels and milestones of the projects. Old URLs stop working.
   *
   * @throws PlatformError `invalid` if the group would contain itself or its new parent is less visible, `conflict` when the path
   * is taken
   */
  transfer: command({
    on: group,
    can: 'group.transfer',
    serializes: 'instance',
    input: {
      /** Id or full path of the new parent group. Default: the top level. */
      parent: v.optional(IdOrName),
    },
    async run(ctx, { parent: ref }, { group }): Promise<GroupDetails> {
      const target = await loadVisible(ctx, parentGroup, { parent: ref })
      assertAbility<'instance' | 'group'>(ctx.actor, target, 'group.create')
      const parent = target.kind === 'group' ? target.group : undefined
      if ((parent?.id ?? null) === group.parentId) throw invalid('Transfer failed: Group is already at this place.')
      if (parent && isMoreVisible(group.visibility, parent.visibility)) throw tooVisibleError()
      const isInside = parent && `${parent.fullPath}/`.toLowerCase().startsWith(`${group.fullPath}/`.toLowerCase())
      if (isInside) throw invalid('Transfer failed: The group cannot be moved into itself or one of its subgroups.')
      await assertPathAvailable(ctx, parent ? `${parent.fullPath}/${group.path}` : group.path)
      await ctx.db
        .updateTable('namespace')
        .set({ parentId: parent?.id ?? null, updatedAt: ctx.now })
        .where('id', '=', group.id)
        .execute()
      await replaceLineage(ctx, group.id, parent?.id)
      await updateDescendantPaths(ctx, group.id)
      for (const project of await selectProjectsBelow(ctx, group.id)) await replaceGroupItems(ctx, project)
      return readChangedGroup(ctx, group.id)
    },
  }),

  /** Moves a project to a group, as `projects.transfer` does; for administrators. Returns the group. */
  receiveProject: command({
    on: group,
    can: 'group.receiveProject',
    serializes: 'instance',
    input: {
      /** Id or full path of the project. */
      child: IdOrName,
    },
    async run(ctx, { child }, { group: { id } }): Promise<GroupDetails> {
      const { project } = await loadVisible(ctx, projectSubject, { project: child })
      await transferProject(ctx, project, await namespaceSubject.load(ctx, { namespace: id }))
      return readChangedGroup(ctx, id)
    },
  }),

  /** Lists the groups that a group can be transferred to, by name: those in which the current user can create subgroups. */
  listTransferLocations: query({
    on: group,
    can: 'group.transfer',
    input: searchInput,
    async run(ctx, input, { group }) {
      const below = ctx.db.selectFrom('namespaceLineage').where('ancestorId', '=', group.id).select('namespaceId')
      let rows = selectReadableGroups(await withGrants(ctx)).where('namespace.id', 'not in', below)
      if (group.parentId !== null) rows = rows.where('namespace.id', '!=', group.parentId)
      if (isAdministrator(ctx.actor)) return groupPage(ctx, rows, input)
      return groupPage(
        ctx,
        rows.where((eb) =>
          eb.or([
            eb('namespace.id', 'in', groupIdsWithAccess(ctx, Access.owner)),
            eb.and([
              eb('namespace.subgroupCreationLevel', '=', 'maintainer'),
              eb('namespace.id', 'in', groupIdsWithAccess(ctx, Access.maintainer)),
            ]),
          ]),
        ),
        input,
      )
    },
  }),
}
