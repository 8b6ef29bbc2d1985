import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { isPlatformError } from '../../../kernel/errors.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import { repeatStep } from '../../../kernel/jobs/repeat-step.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import { sendsMail } from '../../administration/mail/compose-mail.ts'
import { resolveRecipients } from '../notification-settings/recipients.ts'
import { loadTarget } from './load-target.ts'
import { findMentioned } from './mentions.ts'
import type { NotificationRequest } from './notification.ts'
import { requestNotifications } from './request.ts'

/** Days that notifications are kept. */
const retentionDays = 30

/** Rows per statement: databases limit the number of parameters. */
const batchSize = 1_000

/** Users who have a note or an item that was removed in the meantime are not notified. */
const findRecipients = async (ctx: Context, request: NotificationRequest) => {
  const target = await loadTarget(ctx, request.target)
  if (!target) return []
  const { event, note, onlyMentioned, former, labels, actorId } = request
  try {
    return await resolveRecipients(ctx, {
      event,
      target,
      mentioned: await findMentioned(ctx, target, request.mentions),
      onlyMentioned,
      former,
      labels: labels ?? undefined,
      noteId: note ?? undefined,
      actorId,
    })
  } catch (error) {
    if (isPlatformError(error) && error.code === 'not_found') return []
    throw error
  }
}

/** Stores whom an event notifies. */
export const createNotifications = defineJob('notifications.create', {
  async run({ read, write }, request) {
    const recipients = await read((ctx) => findRecipients(ctx, request))
    if (!recipients.length) return
    await write(async (ctx) => {
      const { key, event, target, note, actorId, siteUrl } = request
      for (let start = 0; start < recipients.length; start += batchSize) {
        const rows = recipients.slice(start, start + batchSize).map(
          ({ user, reason }) =>
            ({
              userId: user.id,
              eventKey: key,
              event,
              reason,
              targetKind: target.kind,
              targetId: target.id,
              noteId: note,
              authorId: actorId,
              siteUrl,
              mailState: 'pending',
              createdAt: ctx.now,
            }) satisfies CompleteRow<'notification'>,
        )
        const created = await ctx.db
          .insertInto('notification')
          .values(rows)
          .onConflict((conflict) => conflict.columns(['eventKey', 'userId']).doNothing())
          .returning([
            'id',
            'userId',
            'event',
            'reason',
            'targetKind',
            'targetId',
            'noteId',
            'authorId',
            'mailState',
            'createdAt',
          ])
          .execute()
        if (!created.length) continue
        await ctx.enqueueAll(
          'notifications.send',
          created.map(({ id }) => ({ payload: { notification: id }, key: String(id) })),
        )
        for (const notification of created) await ctx.emit('notification.created', { notification })
      }
    })
  },
})

const toTomorrow = (now: string) => addSeconds(now, 86_400).slice(0, 10)

/** Notifies of open issues on the day before their due date. */
export const notifyOfDueIssues = defineJob('notifications.remind', {
  every: 'day',
  async findNextEffect({ db }, { now, ports }) {
    if (!sendsMail({ ports })) return undefined
    const next = await db
      .selectFrom('issue')
      .where('state', '=', 'opened')
      .where('dueDate', '>=', toTomorrow(now))
      .orderBy('dueDate')
      .limit(1)
      .select('dueDate')
      .executeTakeFirst()
    return next?.dueDate ? addSeconds(`${next.dueDate}T00:00:00.000Z`, -86_400) : undefined
  },
  async run(tools) {
    const day = toTomorrow(tools.now)
    let last = 0
    await repeatStep(tools, async (ctx) => {
      const due = await ctx.db
        .selectFrom('issue')
        .where('state', '=', 'opened')
        .where('dueDate', '=', day)
        .where('id', '>', last)
        .orderBy('id')
        .limit(batchSize)
        .select('id')
        .execute()
      for (const { id } of due) {
        await requestNotifications(ctx, 'issueDue', { kind: 'issue', id }, { key: `due ${id} ${day}` })
        last = id
      }
      return due.length === batchSize
    })
  },
})

/** Removes notifications older than 30 days. */
export const expireNotifications = defineJob('notifications.expire', {
  every: 'day',
  async findNextEffect({ db }) {
    const oldest = await db
      .selectFrom('notification')
      .orderBy('createdAt')
      .limit(1)
      .select('createdAt')
      .executeTakeFirst()
    return oldest && addSeconds(oldest.createdAt, retentionDays * 86_400)
  },
  run: (tools) =>
    repeatStep(tools, async ({ db, now }) => {
      const old = db
        .selectFrom('notification')
        .where('createdAt', '<', addSeconds(now, -retentionDays * 86_400))
        .orderBy('createdAt')
        .limit(batchSize)
      const removed = await db.deleteFrom('notification').where('id', 'in', old.select('id')).returning('id').execute()
      return removed.length === batchSize
    }),
})
