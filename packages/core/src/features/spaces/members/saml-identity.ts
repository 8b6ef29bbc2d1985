import { findLineage } from '../../../access/namespaces.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden } from '../../../kernel/errors.ts'
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

/**
 * The groups with the SAML provider of a project or group, which are those above it.
 *
 * @throws PlatformError `forbidden` for users who may not see the identities of members
 */
export const findSamlGroupIds = async (ctx: Context, subject: Container): Promise<readonly number[]> => {
  if (!hasAbility(ctx.actor, subject, 'member.manage'))
    throw forbidden('Only those who can manage members can filter them by SAML identity')
  return findLineage(ctx, subject.kind === 'group' ? subject.group.id : subject.project.namespaceId)
}
