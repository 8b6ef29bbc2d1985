import type { Context } from '../../../kernel/context.ts'
import { selectMembers } from '../../spaces/members/queries.ts'
import { expandMention } from '../notification-settings/mentioned.ts'
import { getContainer, type NotificationTarget } from '../notification-settings/target.ts'

/** Mentions all members of the project or group of the item. */
const everyone = 'all'

/** The ids of the users whom a text about the target mentions: users, direct members of groups, or all members. Unknown names are ignored. */
export async function findMentioned(
  ctx: Context,
  target: NotificationTarget,
  names: readonly string[],
): Promise<readonly number[]> {
  const ids = new Set<number>()
  for (const name of names) {
    const container = name.toLowerCase() === everyone ? getContainer(target) : undefined
    if (container) {
      const all = ctx.db.selectFrom('user').where('state', '=', 'active').select('user.id as userId')
      for (const { id } of await selectMembers(ctx, container, all).execute()) ids.add(id)
      continue
    }
    for (const id of (await expandMention(ctx, name)) ?? []) ids.add(id)
  }
  return [...ids]
}
