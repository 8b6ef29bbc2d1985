import { defineJob } from '../../../kernel/jobs/job.ts'
import { sendMail } from '../../administration/mail/deliver.ts'
import { sealLink } from '../../administration/mail/sealed-link.ts'

/** Mails the link that confirms an address. */
export const mailConfirmation = defineJob('emails.mailConfirmation', {
  concurrency: 4,
  run: (job, { emailId, siteUrl }) =>
    sendMail(job, async (ctx) => {
      const row = await ctx.db
        .selectFrom('emailAddress')
        .innerJoin('user', 'user.id', 'emailAddress.userId')
        .where('emailAddress.id', '=', emailId)
        .where('emailAddress.confirmedAt', 'is', null)
        .select(['emailAddress.email', 'user.name'])
        .executeTakeFirst()
      const key = row && sealLink(ctx, 'confirmEmail', [emailId, row.email])
      if (!row || key === undefined) return undefined
      return {
        key: `email-confirmation.${emailId}`,
        to: row.email,
        subject: 'Confirmation instructions',
        text: `Hello, ${row.name}!

Confirm that this address is yours at ${siteUrl}/-/emails/${key}/confirm

If you have not added it to your account, ignore this e-mail.`,
        siteUrl,
      }
    }),
})
