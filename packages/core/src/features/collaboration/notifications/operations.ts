import { currentUser } from '../../../access/subjects.ts'
import { getUserId } from '../../../kernel/actor.ts'
import { query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import type { Notification } from './notification.ts'

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
        .select(['id', 'event', 'reason', 'targetKind', 'targetId', 'noteId', 'authorId', 'createdAt'])
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
}
