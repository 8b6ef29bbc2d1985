import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { findSamlIdentities } from '../sso/queries.ts'
import type { Member } from './member.ts'
import type { Container } from './membership-rows.ts'

/** Adds SAML identities to members if the group has a provider and the current user can manage its members. */
export async function withSamlIdentities(
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
