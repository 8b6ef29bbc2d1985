import type { Context } from '../../kernel/context.ts'
import type { Page } from '../../kernel/paging.ts'
import { hasAbility } from '../../policy/authorize.ts'
import { findSamlIdentities } from '../sso/queries.ts'
import type { Member } from './member.ts'
import type { Container } from './membership-rows.ts'

/** Adds SAML identities to members if the group has a provider and the viewer can manage its members. */
async function withSamlIdentities(
  ctx: Context,
  subject: Container,
  members: readonly Member[],
): Promise<readonly Member[]> {
  if (subject.kind !== 'group' || !hasAbility(ctx.actor, subject, 'member.manage')) return members
  const identities = await findSamlIdentities(
    ctx,
    subject.group.id,
    members.map(({ id }) => id),
  )
  if (!identities) return members
  return members.map((member) => ({ ...member, groupSamlIdentity: identities.get(member.id) ?? null }))
}

/** One member with the SAML identity, if the viewer may see it. */
export const withVisibleIdentity = async (ctx: Context, subject: Container, member: Member): Promise<Member> =>
  (await withSamlIdentities(ctx, subject, [member]))[0] ?? member

/** A page of members with the SAML identities that the viewer may see. */
export const pageWithVisibleIdentities = async (
  ctx: Context,
  subject: Container,
  page: Page<Member>,
): Promise<Page<Member>> => ({
  ...page,
  items: await withSamlIdentities(ctx, subject, page.items),
})
