import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Container } from '../members/membership-rows.ts'
import { containerKey } from '../members/queries.ts'
import type { Invitation } from './invitation.ts'

/** The invitations of a project or a group. */
export const selectInvitations = (ctx: Context, subject: Container) => {
  const { projectId, groupId } = containerKey(subject)
  return ctx.db
    .selectFrom('invitation')
    .leftJoin('user', 'user.id', 'invitation.createdById')
    .where((eb) =>
      projectId === null ? eb('invitation.groupId', '=', groupId) : eb('invitation.projectId', '=', projectId),
    )
    .select(['invitation.id', 'invitation.email as inviteEmail', 'invitation.createdAt'])
    .select(['invitation.accessLevel', 'invitation.expiresAt', 'user.name as createdByName'])
}

/** The invitations of an address to a project or a group, of which there is at most one. */
export const selectInvitation = (ctx: Context, subject: Container, email: string) =>
  selectInvitations(ctx, subject).where(lower('invitation.email'), '=', email.toLowerCase())

/** @throws PlatformError `not_found` */
export async function getInvitation(ctx: Context, subject: Container, email: string): Promise<Invitation> {
  const row = await selectInvitation(ctx, subject, email).executeTakeFirst()
  if (!row) throw notFound('Invitation')
  return row
}
