import { findGroup } from '../../../access/namespaces.ts'
import { isUnexpired } from '../../../db/functions.ts'
import { type Context, today } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { findUserIfKnown } from '../../accounts/users/queries.ts'

/** The ids of the direct members of a group; empty if its setting `mentionsDisabled` is true. */
const findMembersToMention = async (ctx: Context, groupId: number): Promise<number[]> => {
  const rows = await ctx.db
    .selectFrom('member')
    .innerJoin('namespace', 'namespace.id', 'member.groupId')
    .where('member.groupId', '=', groupId)
    .where(isUnexpired('member.expiresAt', today(ctx)))
    .select(['member.userId', 'namespace.settings'])
    .execute()
  return rows.filter(({ settings }) => !settings?.mentionsDisabled).map(({ userId }) => userId)
}

/** The ids of the users whom a mention of a user or a group stands for; undefined for an unknown one. */
export async function expandMention(ctx: Context, ref: number | string): Promise<readonly number[] | undefined> {
  const user = await findUserIfKnown(ctx, ref)
  if (user) return [user.id]
  const group = typeof ref === 'string' ? await findGroup(ctx, ref) : undefined
  return group && findMembersToMention(ctx, group.id)
}

/**
 * Ids of mentioned users. A reference is the id or the username of a user, or the full path of a group for its direct members.
 * @throws PlatformError `not_found` for an unknown one
 */
export async function findMentionedIds(ctx: Context, refs: readonly (number | string)[]): Promise<number[]> {
  const ids = new Set<number>()
  for (const ref of new Set(refs)) {
    const mentioned = await expandMention(ctx, ref)
    if (!mentioned) throw notFound('User', ref)
    for (const id of mentioned) ids.add(id)
  }
  return [...ids]
}
