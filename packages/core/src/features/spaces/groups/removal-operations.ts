import { group } from '../../../access/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import { command } from '../../../kernel/operation.ts'
import { haveManyContents } from '../../accounts/removal/contents.ts'
import { removeGroup, selectGroupsBelow, selectProjectsBelow } from '../../accounts/removal/remove.ts'
import { scheduleGroupRemoval } from './schedule-removal.ts'

export const groups = {
  /**
   * Removes a group with all its subgroups and projects, and their contents. A job removes a group with very many contents; until
   * then, the group is private and has the path `<path>-deletion_scheduled-<id>`, and its projects are archived.
   */
  remove: command({
    on: group,
    can: 'group.remove',
    serializes: 'instance',
    async run(ctx, _input, { group }) {
      await assertRowUnmodified(ctx, 'namespace', group.id)
      const contents = { projectId: selectProjectsBelow(ctx, group.id), groupId: selectGroupsBelow(ctx, group.id) }
      if (await haveManyContents(ctx, contents)) await scheduleGroupRemoval(ctx, group)
      else await removeGroup(ctx, group.id)
    },
  }),
}
