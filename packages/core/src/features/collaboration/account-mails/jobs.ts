import { findActiveActor } from '../../../access/authenticate.ts'
import { group, project } from '../../../access/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import { loadIfVisible } from '../../../policy/visible.ts'
import { readEmailAddresses } from '../../accounts/users/email-addresses.ts'
import { sendsMail } from '../../administration/mail/compose-mail.ts'
import { sendMail } from '../../administration/mail/deliver.ts'
import { sealLink } from '../../administration/mail/sealed-link.ts'
import { findNextReminder, remindOfMemberships, remindOfTokens } from './reminders.ts'
import type { ContainerKey } from './request.ts'

/** Addresses of users without a known one receive no mail (RFC 2606). */
const unreachableDomain = '.invalid'

const isVisible = async (ctx: Context, { projectId, groupId }: ContainerKey): Promise<boolean> =>
  (projectId === null
    ? await loadIfVisible(ctx, group, { group: groupId ?? 0 })
    : await loadIfVisible(ctx, project, { project: projectId })) !== undefined

interface Addressee {
  readonly to: string
  readonly name: string
}

/** The active user, who can see what the message is about. */
const findUser = async (ctx: Context, userId: number, about: ContainerKey | null): Promise<Addressee | undefined> => {
  const user = await findActiveActor(ctx, userId)
  if (!user || user.bot || (about && !(await isVisible(ctx.actAs(user), about)))) return undefined
  const [to = unreachableDomain] = await readEmailAddresses(ctx, userId)
  return to.endsWith(unreachableDomain) ? undefined : { to, name: user.name }
}

/** The paragraph with the link that accepts an invitation; undefined if there is no such invitation, or no link. */
const inviteTo = async (ctx: Context, id: number, siteUrl: string | null): Promise<string | undefined> => {
  const row = await ctx.db.selectFrom('invitation').where('id', '=', id).select('email').executeTakeFirst()
  const key = row && sealLink(ctx, 'acceptInvitation', [id, row.email])
  return key === undefined || siteUrl === null ? undefined : `Accept the invitation: ${siteUrl}/-/invites/${key}`
}

/** Mails a message about an account or a membership. */
export const sendAccountMail = defineJob('accountMails.send', {
  concurrency: 4,
  run: (job, { key, recipient, subject, text, about, siteUrl }) =>
    sendMail(job, async (ctx) => {
      const { userId, email = '', name = email, invitation } = recipient
      const addressee = userId === undefined ? { to: email, name } : await findUser(ctx, userId, about)
      const link = invitation === undefined ? '' : await inviteTo(ctx, invitation, siteUrl)
      if (!addressee || link === undefined) return undefined
      const paragraphs = [`Hello, ${addressee.name}!`, text, ...(link === '' ? [] : [link])]
      return { key: `account.${key}`, to: addressee.to, subject, text: paragraphs.join('\n\n'), siteUrl }
    }),
})

/** Reminds of tokens and memberships that expire soon. */
export const remindOfExpiry = defineJob('accountMails.remind', {
  every: 'day',
  async findNextEffect({ db }, { now, ports }) {
    if (!sendsMail({ ports })) return undefined
    const next = await findNextReminder({ db, now })
    return next && `${next}T00:00:00.000Z`
  },
  async run({ write, ports }) {
    if (!sendsMail({ ports })) return
    await write(remindOfTokens)
    await write(remindOfMemberships)
  },
})
