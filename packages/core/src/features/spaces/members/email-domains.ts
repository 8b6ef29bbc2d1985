import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { findAllowedEmailDomains } from '../../accounts/namespaces/inherited-settings.ts'
import { readEmailAddresses } from '../../accounts/users/email-addresses.ts'
import { isEmailDomainListed } from '../../administration/settings/domain-list.ts'
import type { Container } from './membership-rows.ts'

/**
 * Checks that one of the addresses is in a domain that the top-level group permits, if it permits only some.
 *
 * @throws PlatformError `invalid` on `user`
 */
export const assertEmailAllowed = async (
  ctx: Context,
  subject: Container,
  readEmails: () => Promise<readonly string[]>,
): Promise<void> => {
  if (ctx.actor.kind === 'system') return
  const namespaceId = subject.kind === 'project' ? subject.project.namespaceId : subject.group.id
  const domains = await findAllowedEmailDomains(ctx, namespaceId)
  if (!domains.length || (await readEmails()).some((email) => isEmailDomainListed(email, domains))) return
  throw invalid({ user: [`email does not match the allowed domains of ${domains.join(', ')}`] })
}

/** The same for the confirmed addresses of a user. */
export const assertUserAllowed = (ctx: Context, subject: Container, userId: number): Promise<void> =>
  assertEmailAllowed(ctx, subject, () => readEmailAddresses(ctx, userId))
