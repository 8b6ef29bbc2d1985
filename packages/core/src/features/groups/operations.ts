import { group } from '../../access/subjects.ts'
import { command, query } from '../../kernel/operation.ts'

export const groups = {
  /** Gets a group without its settings; see `details`. */
  get: query({ on: group, can: 'group.read', run: (_ctx, _input, { group }) => ({ ...group }) }),

  /** Removes a group with all its subgroups and projects, and their contents. */
  remove: command({
    on: group,
    can: 'group.remove',
    serializes: 'instance',
    async run(ctx, _input, { group }) {
      await ctx.emit('group.removed', { groupId: group.id })
      await ctx.db.deleteFrom('namespace').where('id', '=', group.id).execute()
    },
  }),
}
