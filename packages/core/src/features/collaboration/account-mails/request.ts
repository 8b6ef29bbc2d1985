import type { Context } from '../../../kernel/context.ts'
import { getSiteUrl, sendsMail } from '../../administration/mail/compose-mail.ts'

/** A message to users about their accounts and memberships, which no notification setting turns off. */
export interface AccountMail {
  readonly subject: string
  /** Paragraphs of plain text after the greeting. */
  readonly text: readonly string[]
  /** The project or group that the message names: it is sent only to users who can still see it. Default: none. */
  readonly about?: ContainerKey
}

/** A project, or a group. */
export interface ContainerKey {
  readonly projectId: number | null
  readonly groupId: number | null
}

const keyBytes = 16

/** The parts of a job that do not depend on its recipient. A repeated job has the same key, thus the same `Message-ID`. */
const toPayload = (ctx: Context, { subject, text, about }: AccountMail) => ({
  key: Buffer.from(ctx.ports.random.bytes(keyBytes)).toString('hex'),
  subject,
  text: text.filter((paragraph) => paragraph !== '').join('\n\n'),
  about: about ? { projectId: about.projectId, groupId: about.groupId } : null,
  siteUrl: getSiteUrl(ctx),
})

/** Lets a job mail users, if the platform sends mail. */
export async function requestAccountMail(ctx: Context, userIds: readonly number[], mail: AccountMail): Promise<void> {
  if (!sendsMail(ctx) || !userIds.length) return
  await ctx.enqueueAll(
    'accountMails.send',
    userIds.map((userId) => ({ payload: { ...toPayload(ctx, mail), recipient: { userId } } })),
  )
}

/** The same for an address without a user. `invitation`: the message contains a link that accepts it. */
export async function requestMailTo(
  ctx: Context,
  recipient: { readonly email: string; readonly name?: string; readonly invitation?: number },
  mail: AccountMail,
): Promise<void> {
  if (sendsMail(ctx)) await ctx.enqueue('accountMails.send', { ...toPayload(ctx, mail), recipient })
}
