import { findActiveActor } from '../../../access/authenticate.ts'
import type { Context } from '../../../kernel/context.ts'
import type { TransactionRunner } from '../../../kernel/deferred.ts'
import { isPlatformError } from '../../../kernel/errors.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { composeMail } from '../../administration/mail/compose-mail.ts'
import { deliver } from '../../administration/mail/deliver.ts'
import { createRenderer } from '../markdown/renderer.ts'
import { getNoteSubject } from '../notes/noteable.ts'
import { findEffectiveSettings } from '../notification-settings/effective-settings.ts'
import { readNotificationEmail } from '../notification-settings/recipients.ts'
import { canReadTarget, getContainer, getScope, type NotificationTarget } from '../notification-settings/target.ts'
import { loadTarget } from './load-target.ts'
import type { MailState } from './notification.ts'
import { describeNotification } from './notification-mail.ts'

/** Addresses of users without a known one receive no mail (RFC 2606). */
const unreachableDomain = '.invalid'

/** Ends the mail of a notification. A repeated job does not change the state of a mail that was sent. */
const endMail = async ({ db }: Context, id: number, mailState: MailState) => {
  const pending = db.updateTable('notification').where('id', '=', id).where('mailState', '=', 'pending')
  await pending.set({ mailState }).execute()
}

const findCommitComment = async ({ db }: Context, id: number): Promise<string | undefined> => {
  const row = await db.selectFrom('commitComment').where('id', '=', id).select('note').executeTakeFirst()
  return row?.note
}

/** The comment of a notification; `not_found` after its removal. */
const loadNote = async (ctx: Context, target: NotificationTarget, noteId: number | null) => {
  if (target.kind === 'pipeline' || target.kind === 'commitComment' || noteId === null) return undefined
  return getNoteSubject(ctx, target, noteId)
}

/** The mail of a notification; undefined if there is nothing to send, because the user cannot read the item any more. */
const prepare = async (ctx: Context, id: number) => {
  const row = await ctx.db.selectFrom('notification').where('id', '=', id).selectAll().executeTakeFirst()
  if (row?.mailState !== 'pending') return undefined
  const user = await findActiveActor(ctx, row.userId)
  const target = await loadTarget(ctx, { kind: row.targetKind, id: row.targetId })
  if (!user || !target) return undefined
  const note = await loadNote(ctx, target, row.noteId)
  if (!(await canReadTarget(ctx, target, note, user))) return undefined
  const container = getContainer(target)
  if (container) await ctx.actAs(user).assertAuthorized(container)
  const { email } = defined((await findEffectiveSettings(ctx, getScope(target), [user.id])).get(user.id))
  const to = await readNotificationEmail(ctx, user.id, email)
  if (to.endsWith(unreachableDomain)) return undefined
  const authors = await userSummaries(ctx, [row.authorId])
  const call = { ...ctx.call, siteUrl: row.siteUrl ?? undefined }
  const mail = await describeNotification(ctx, {
    notification: row,
    target,
    body: target.kind === 'commitComment' ? await findCommitComment(ctx, row.targetId) : note?.note.body,
    author: authors.get(row.authorId ?? 0),
    user,
    to,
    siteUrl: row.siteUrl,
  })
  const home = target.kind === 'epic' ? undefined : (target.project ?? undefined)
  const render = await createRenderer({ ...ctx, actor: user, call }, home)
  return { ...mail, render, asUser: (other: Context): Context => ({ ...other, actor: user, call }) }
}

/** Nothing to send for a comment that was removed in the meantime, and to users whom the authorization service denies the project. */
const prepareIfPresent = async (ctx: Context, id: number) => {
  try {
    return await prepare(ctx, id)
  } catch (error) {
    if (isPlatformError(error) && (error.code === 'not_found' || error.reason === 'external_authorization'))
      return undefined
    throw error
  }
}

/** Mails a notification to its user, if the user can still read the item. A repeated mail has the same `Message-ID`. */
export const sendNotification = defineJob('notifications.send', {
  concurrency: 4,
  async run(job, { notification: id }) {
    const { write } = job
    const prepared = await job.read((ctx) => prepareIfPresent(ctx, id))
    if (!prepared) return write((ctx) => endMail(ctx, id, 'skipped'))
    const { content, markdown, toHtml, render, asUser } = prepared
    const read: TransactionRunner['read'] = (work) => job.read(async (ctx) => work(asUser(ctx)))
    const rendered = markdown === '' ? '' : await render(read, markdown, 'platform')
    const message = await job.read((ctx) => composeMail(ctx, { ...content, html: toHtml(rendered) }))
    const isSent = await deliver(job, message)
    await write((ctx) => endMail(ctx, id, isSent ? 'sent' : 'refused'))
  },
})
