import type { UserActor } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { readEmailAddresses } from '../../accounts/users/email-addresses.ts'
import { toUserSummary, type UserSummary } from '../../accounts/users/user.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { canRead } from '../notes/mentions.ts'
import { getNoteSubject } from '../notes/noteable.ts'
import type { TodoTarget } from '../todos/todo-target.ts'
import {
  type Candidates,
  findCandidates,
  findSubscriptions,
  type LabelReferences,
  type NotificationReason,
  notificationReasons,
} from './candidates.ts'
import { areEmailsDisabled } from './disabled-emails.ts'
import { findEffectiveSettings } from './effective-settings.ts'
import { isEventEnabled, type NotifiableEvent } from './notification-setting.ts'
import type { StoredSetting } from './queries.ts'

/** A user who is notified of an event. */
export interface Recipient {
  /** The user to notify. */
  user: UserSummary
  /** The user's address for notifications. */
  email: string
  /**
   * The first that applies at the user's level: `mentioned` in the text, `assigned`, `participating` as author, commenter or
   * reviewer or by an earlier mention, `subscribed` to the item or to a label that the event assigned, `watching`, or
   * `custom` if only the user's events include this one.
   */
  reason: NotificationReason | 'custom'
}

/** An event on an issue, a merge request or an epic. */
export interface NotificationEvent {
  readonly event: NotifiableEvent
  readonly target: TodoTarget
  /** The labels that the event added; all labels of the target if omitted. */
  readonly labels?: LabelReferences | undefined
  /** The note that the event is about. */
  readonly noteId?: number | undefined
  /** Users mentioned in the text. */
  readonly mentioned: readonly number[]
  /** The user who caused the event, who is never a recipient; null if no user did. */
  readonly actorId: number | null
}

/**
 * The reason to notify a user with this setting; undefined if the user is not notified. A user who has unsubscribed is
 * notified only of mentions.
 */
export const resolveReason = (
  reasons: ReadonlySet<NotificationReason>,
  { level, events }: Pick<StoredSetting, 'level' | 'events'>,
  event: NotifiableEvent,
  hasUnsubscribed = false,
): Recipient['reason'] | undefined => {
  const strongest = (accepted: readonly NotificationReason[] = notificationReasons) =>
    accepted.find((reason) => reason !== 'watching' && reasons.has(reason))
  if (level === 'disabled') return undefined
  if (hasUnsubscribed) return strongest(['mentioned'])
  switch (level) {
    case 'mention':
      return strongest(['mentioned', 'subscribed'])
    case 'watch':
      return strongest() ?? 'watching'
    case 'custom':
      return strongest() ?? (isEventEnabled(events, event) ? 'custom' : undefined)
    case 'participating':
    case 'global':
      return strongest()
  }
}

/** Users per query: databases limit the number of parameters. */
const batchSize = 500

const loadCandidates = async (ctx: Context, candidates: Candidates, actorId: number | null) => {
  const ids = [...candidates.keys()].filter((id) => id !== actorId).sort((a, b) => a - b)
  const summary = toUserSummary(await getSettings(ctx))
  const users: { user: UserActor; summary: UserSummary }[] = []
  for (let start = 0; start < ids.length; start += batchSize) {
    const rows = await ctx.db
      .selectFrom('user')
      .where('id', 'in', ids.slice(start, start + batchSize))
      .where('state', '=', 'active')
      .orderBy('id')
      .select(['id', 'username', 'name', 'publicEmail', 'state', 'avatarUrl', 'admin', 'external', 'bot'])
      .execute()
    for (const row of rows) {
      const { id, username, name, admin, external, bot } = row
      const user: UserActor = { kind: 'user', id, username, name, admin, external, bot, scopes: null }
      users.push({ user, summary: summary(row) })
    }
  }
  return users
}

/** The chosen address if it still belongs to the user, else the primary address. */
export async function readNotificationEmail(ctx: Context, userId: number, chosen: string | null): Promise<string> {
  const addresses = await readEmailAddresses(ctx, userId)
  return addresses.find((email) => email === chosen) ?? defined(addresses[0])
}

/**
 * The users to notify of an event, by user id: only users who can read the target and the note, without the user who caused
 * it. Empty if `emailsDisabled` of the project or of a group above is true.
 */
export async function findRecipients(
  ctx: Context,
  { event, target, noteId, mentioned, labels, actorId }: NotificationEvent,
): Promise<Recipient[]> {
  const readable = noteId === undefined ? target : await getNoteSubject(ctx, target, noteId)
  const scope =
    target.kind === 'epic'
      ? { projectId: null, namespaceId: target.group.id }
      : { projectId: target.project.id, namespaceId: target.project.namespaceId }
  if (await areEmailsDisabled(ctx, scope)) return []
  const subscriptions = await findSubscriptions(ctx, target)
  const candidates = await findCandidates(ctx, target, { event, mentioned, labels, subscriptions })
  const users = await loadCandidates(ctx, candidates, actorId)
  const settings = await findEffectiveSettings(
    ctx,
    scope,
    users.map(({ user }) => user.id),
  )
  const recipients: Recipient[] = []
  for (const { user, summary } of users) {
    const { setting, email } = defined(settings.get(user.id))
    const reasons = defined(candidates.get(user.id))
    const reason = resolveReason(reasons, setting, event, subscriptions.get(user.id) === false)
    if (reason === undefined || !(await canRead(ctx, readable, user))) continue
    recipients.push({ user: summary, email: await readNotificationEmail(ctx, user.id, email), reason })
  }
  return recipients
}
