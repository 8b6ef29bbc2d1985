import { defineJob } from '../../../kernel/jobs/job.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import { sendMail } from '../../administration/mail/deliver.ts'
import { sealLink } from '../../administration/mail/sealed-link.ts'
import { readEmailAddresses } from '../users/email-addresses.ts'
import { findAccount } from './reset-link.ts'

/** The same as in GitLab. */
const validHours = 6

/** Mails the link to set a new password. */
export const mailPasswordReset = defineJob('passwords.mailReset', {
  concurrency: 4,
  run: (job, { userId, email, siteUrl, requestedAt }) =>
    sendMail(job, async (ctx) => {
      const account = await findAccount(ctx, userId)
      const addresses = account ? await readEmailAddresses(ctx, userId) : []
      // As it was confirmed: another spelling could be that of someone else.
      const to = addresses.find((address) => address.toLowerCase() === email.toLowerCase())
      const expiresAt = addSeconds(requestedAt, validHours * 3_600)
      const key = sealLink(ctx, 'resetPassword', [userId, account?.changedAt ?? null, expiresAt])
      if (!account || to === undefined || key === undefined) return undefined
      return {
        key: `password-reset.${userId}.${requestedAt}`,
        to,
        subject: 'Reset password instructions',
        text: `Hello, ${account.name}!

Someone has requested a link to change your password. Set a new one at ${siteUrl}/-/password/${key}/edit

The link is valid for ${validHours} hours. If you did not request it, ignore this e-mail: your password stays the same.`,
        siteUrl,
      }
    }),
})
