import { formatLevel } from '../../../access/levels.ts'
import type { Signals } from '../../../contract/signals.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { sendsMail } from '../../administration/mail/compose-mail.ts'
import { findAccessRequestApprovers } from '../../spaces/access-requests/approvers.ts'
import { nameContainer } from './container.ts'
import { type ContainerKey, requestAccountMail, requestMailTo } from './request.ts'

interface MemberKey extends ContainerKey {
  readonly userId: number
}

/** Tells a member of the access level, unless the member has set it. */
const mailLevel = async (ctx: Context, { userId, projectId, groupId }: MemberKey, verb: 'granted' | 'changed') => {
  if (!sendsMail(ctx) || getUserId(ctx.actor) === userId) return
  const about = { projectId, groupId }
  const [column, id] = projectId === null ? (['groupId', groupId] as const) : (['projectId', projectId] as const)
  const container = await nameContainer(ctx, about)
  const member = await ctx.db
    .selectFrom('member')
    .where('userId', '=', userId)
    .where(column, '=', id)
    .select(['accessLevel', 'expiresAt'])
    .executeTakeFirst()
  if (!container || !member) return
  const end = member.expiresAt === null ? '' : `, until ${member.expiresAt}`
  await requestAccountMail(ctx, [userId], {
    subject: `Access to the ${container.title} was ${verb}`,
    text: [
      `You now have ${formatLevel(member.accessLevel)} access to the ${container.title}${end}.`,
      container.link('View it'),
    ],
    about,
  })
}

/** Tells those who manage a project that one of its mirrors fails. */
const mailMirrorFailure = async (
  ctx: Context,
  { projectId, message }: Signals['remoteMirror.failed'],
  compose: (title: string) => { readonly subject: string; readonly text: string },
) => {
  if (!sendsMail(ctx)) return
  const about = { projectId, groupId: null }
  const container = await nameContainer(ctx, about)
  if (!container) return
  const { subject, text } = compose(container.title)
  const recipients = await findAccessRequestApprovers(ctx, about)
  await requestAccountMail(ctx, recipients, { subject, text: [text, message, container.link('View it')], about })
}

const ignoreHint = 'If you have not done this, change your password, and revoke what you do not know.'

const tokenTexts = {
  created: 'A new personal access token was created for your account',
  revoked: 'A personal access token of your account was revoked',
  rotated: 'A personal access token of your account was rotated',
} as const

/** Which domain event is mailed to whom, whatever the notification settings are. */
export const accountMailReactions: readonly Reaction[] = [
  defineReaction('member.joined', (ctx, key) => mailLevel(ctx, key, 'granted')),
  defineReaction('member.updated', (ctx, key) => mailLevel(ctx, key, 'changed')),
  defineReaction('accessRequest.opened', async (ctx, { userId, ...about }) => {
    if (!sendsMail(ctx)) return
    const container = await nameContainer(ctx, about)
    const user = await ctx.db
      .selectFrom('user')
      .where('id', '=', userId)
      .select(['name', 'username'])
      .executeTakeFirst()
    if (!container || !user) return
    await requestAccountMail(ctx, await findAccessRequestApprovers(ctx, about), {
      subject: `Request to join the ${container.title}`,
      text: [
        `${user.name} (@${user.username}) requests access to the ${container.title}.`,
        container.link('Decide', 'members'),
      ],
      about,
    })
  }),
  defineReaction('accessRequest.ended', async (ctx, { userId, withdrawn, ...about }) => {
    if (withdrawn || !sendsMail(ctx)) return
    const container = await nameContainer(ctx, about)
    if (!container) return
    const subject = `Access to the ${container.title} was denied`
    await requestAccountMail(ctx, [userId], {
      subject,
      text: [`Your request to join the ${container.title} was denied.`],
      about,
    })
  }),
  defineReaction('invitation.created', async (ctx, { invitation, ...about }) => {
    if (!sendsMail(ctx)) return
    const container = await nameContainer(ctx, about)
    if (!container) return
    const { id, inviteEmail: email, accessLevel, createdByName } = invitation
    const inviter = createdByName ?? 'An administrator'
    await requestMailTo(
      ctx,
      { email, invitation: id },
      {
        subject: `${inviter} invites you to join the ${container.title}`,
        text: [`${inviter} invites you to join the ${container.title} with ${formatLevel(accessLevel)} access.`],
      },
    )
  }),
  defineReaction('key.created', (ctx, { userId }) => {
    const subject = 'SSH key was added to your account'
    return requestAccountMail(ctx, [userId], {
      subject,
      text: ['A public SSH key was added to your account.', ignoreHint],
    })
  }),
  defineReaction('gpgKey.created', (ctx, { userId, fingerprint }) => {
    const text = [`A GPG key was added to your account. Its fingerprint is ${fingerprint}.`, ignoreHint]
    return requestAccountMail(ctx, [userId], { subject: 'GPG key was added to your account', text })
  }),
  defineReaction('token.changed', async (ctx, { token, change }) => {
    // The user does not see tokens of administrators.
    if (token.impersonation) return
    const subject = tokenTexts[change]
    await requestAccountMail(ctx, [token.userId], { subject, text: [`${subject}: ${token.name}`, ignoreHint] })
  }),
  defineReaction('user.signedIn', async (ctx, { userId, ipAddress, previousIpAddress }) => {
    if (ipAddress === null || previousIpAddress === null || ipAddress === previousIpAddress) return
    await requestAccountMail(ctx, [userId], {
      subject: 'Sign-in from a new address',
      text: [`Your account was used to sign in from ${ipAddress} at ${ctx.now}.`, ignoreHint],
    })
  }),
  defineReaction('user.reviewed', async (ctx, { user: { id, name, email }, isApproved }) => {
    if (isApproved)
      return requestAccountMail(ctx, [id], {
        subject: 'Your account was approved',
        text: ['An administrator has approved your account. You can sign in now.'],
      })
    const text = ['An administrator has rejected your account. It was removed.']
    await requestMailTo(ctx, { email, name }, { subject: 'Your account was rejected', text })
  }),
  defineReaction('remoteMirror.failed', (ctx, failure) =>
    mailMirrorFailure(ctx, failure, (title) => ({
      subject: `Remote mirror update of the ${title} failed`,
      text: `The mirror ${failure.url} of the ${title} could not be updated:`,
    })),
  ),
  defineReaction('pullMirror.failed', (ctx, failure) =>
    mailMirrorFailure(ctx, failure, (title) => ({
      subject: `Repository mirroring of the ${title} fails`,
      text: `The ${title} could not be updated from ${failure.url}, and is tried again once a day:`,
    })),
  ),
]
