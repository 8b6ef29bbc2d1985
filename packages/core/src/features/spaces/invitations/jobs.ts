import { defineJob } from '../../../kernel/jobs/job.ts'
import { repeatStep } from '../../../kernel/jobs/repeat-step.ts'
import { findUserIdByEmail } from '../../accounts/users/email-addresses.ts'
import { acceptInvitations } from './accept.ts'

/** Accepts the invitations of an address that has very many of them, in several transactions. */
export const acceptManyInvitations = defineJob('invitations.accept', {
  run: (tools, { userId, email }) =>
    repeatStep(tools, async (ctx) => {
      const isOwner = (await findUserIdByEmail(ctx, email)) === userId
      return isOwner && acceptInvitations(ctx, userId, email)
    }),
})
