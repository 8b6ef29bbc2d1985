import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { getSiteUrl, sendsMail } from '../../administration/mail/compose-mail.ts'
import type { NotifiableEvent } from '../notification-settings/notification-setting.ts'
import type { NotificationRequest } from './notification.ts'

const keyBytes = 16

/** Lets a job notify users of an event, if the platform sends mail. The current user is the one who caused it. */
export async function requestNotifications(
  ctx: Context,
  event: NotifiableEvent,
  target: NotificationRequest['target'],
  details: Partial<NotificationRequest> = {},
): Promise<void> {
  if (!sendsMail(ctx)) return
  await ctx.enqueue('notifications.create', {
    key: Buffer.from(ctx.ports.random.bytes(keyBytes)).toString('hex'),
    event,
    target,
    note: null,
    mentions: [],
    onlyMentioned: false,
    former: [],
    labels: null,
    actorId: getUserId(ctx.actor) || null,
    siteUrl: getSiteUrl(ctx),
    ...details,
  })
}
