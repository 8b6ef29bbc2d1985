import { defineJob } from '../../kernel/job.ts'
import { repeatStep } from '../../kernel/repeat-step.ts'
import { findUserIdByEmail } from '../accounts/email-addresses.ts'
import { acceptInvitations } from './accept.ts'

/** Accepts the invitations of an address that has very many of them, in several transactions. */
export const acceptManyInvitations = defineJob('invitations.accept', {
  run: (tools, { userId, email }) =>
    repeatStep(tools, async (ctx) => {
      const isOwner = (await findUserIdByEmail(ctx, email)) === userId
      return isOwner && acceptInvitations(ctx, userId, email)
    }),
})
