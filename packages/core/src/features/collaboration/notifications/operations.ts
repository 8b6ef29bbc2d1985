import * as v from 'valibot'
import { currentUser, instance } from '../../../access/subjects.ts'
import { getUserId } from '../../../kernel/actor.ts'
import { notFound } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { findUserIfKnown, userSummaries } from '../../accounts/users/queries.ts'
import { openLink } from '../../administration/mail/sealed-link.ts'
import { isSubscribable } from '../notification-settings/target.ts'
import { setSubscribed } from '../subscriptions/mutations.ts'
import { loadTarget } from './load-target.ts'
import type { Notification } from './notification.ts'

/** What the link in a mail ends: the subscription of a user to an item, by ids. */
const Subscription = v.strictTuple([v.number(), v.picklist(['issue', 'mergeRequest', 'epic']), v.number()])

/** What users were notified of. */
export const notifications = {
  /**
   * Lists what the current user was notified of in the last 30 days, the newest first. Notifications exist only if the platform sends mail, see
   * the port `mail`.
   */
  list: query({
    on: currentUser,
    can: 'notification.list',
    input: pagingEntries,
    async run(ctx, paging): Promise<Page<Notification>> {
      const rows = ctx.db
        .selectFrom('notification')
        .where('userId', '=', getUserId(ctx.actor))
        .orderBy('notification.id', 'desc')
        .select(['id', 'event', 'reason', 'targetKind', 'targetId', 'noteId', 'authorId', 'mailState', 'createdAt'])
      const page = await paginate(rows, paging, (row) => row)
      const authors = await userSummaries(
        ctx,
        page.items.map(({ authorId }) => authorId),
      )
      return {
        ...page,
        items: page.items.map(({ authorId, ...row }) => ({
          ...row,
          author: authorId === null ? null : defined(authors.get(authorId)),
        })),
      }
    },
  }),

  /** Unsubscribes the user of a mail from its issue, merge request or epic. The link in the mail is the permission. */
  unsubscribe: command({
    on: instance,
    can: 'notification.unsubscribe',
    input: {
      /** The secret part of the link. */
      key: v.pipe(v.string(), v.maxLength(500)),
    },
    async run(ctx, { key }) {
      const [userId, kind, id] = openLink(ctx, 'unsubscribe', Subscription, key)
      const target = await loadTarget(ctx, { kind, id })
      if (!target || !isSubscribable(target) || !(await findUserIfKnown(ctx, userId))) throw notFound()
      await setSubscribed(ctx, target, userId, false)
    },
  }),
}
