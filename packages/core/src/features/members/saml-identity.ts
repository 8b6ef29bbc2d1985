import type { Context } from '../../kernel/context.ts'
import type { Page } from '../../kernel/paging.ts'
import { may } from '../../policy.ts'
import { samlIdentities } from '../sso/queries.ts'
import type { Member } from './member.ts'
import type { Container } from './queries.ts'

/** Members with what the group's provider calls them, where the reader administers a group that has one. */
async function identified(ctx: Context, subject: Container, members: readonly Member[]): Promise<readonly Member[]> {
  if (subject.kind !== 'group' || !may(ctx.actor, subject, 'member.manage')) return members
  const identities = await samlIdentities(
    ctx,
    subject.group.id,
    members.map(({ id }) => id),
  )
  if (!identities) return members
  return members.map((member) => ({ ...member, groupSamlIdentity: identities.get(member.id) ?? null }))
}

/** One member as the reader may see them. */
export const asSeen = async (ctx: Context, subject: Container, member: Member): Promise<Member> =>
  (await identified(ctx, subject, [member]))[0] ?? member

/** A page of members as the reader may see them. */
export const pageAsSeen = async (ctx: Context, subject: Container, page: Page<Member>): Promise<Page<Member>> => ({
  ...page,
  items: await identified(ctx, subject, page.items),
})
