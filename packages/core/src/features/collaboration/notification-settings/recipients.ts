import type { UserActor } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { readEmailAddresses } from '../../accounts/users/email-addresses.ts'
import { toUserSummary, type UserSummary } from '../../accounts/users/user.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { getNoteSubject } from '../notes/noteable.ts'
import { type Candidates, findCandidates, findSubscriptions, type LabelReferences } from './candidates.ts'
import { areEmailsDisabled } from './disabled-emails.ts'
import { findEffectiveSettings } from './effective-settings.ts'
import type { NotifiableEvent, RecipientReason } from './notification-setting.ts'
import { resolveReason } from './rules.ts'
import { canReadTarget, getScope, type NotificationTarget } from './target.ts'

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
  reason: RecipientReason
}

/** An event on something that users can be notified of. */
export interface NotificationEvent {
  readonly event: NotifiableEvent
  readonly target: NotificationTarget
  /** The labels that the event added; all labels of the target if omitted. */
  readonly labels?: LabelReferences | undefined
  /** The note that the event is about. */
  readonly noteId?: number | undefined
  /** Users mentioned in the text. */
  readonly mentioned: readonly number[]
  /** Users who took part until the event, such as former assignees. Default: none. */
  readonly former?: readonly number[]
  /** Whether only mentioned users are notified. Default: false. */
  readonly onlyMentioned?: boolean
  /** The user who caused the event, who is never a recipient; null if no user did. */
  readonly actorId: number | null
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
      // Nobody reads the mail of an access token's user.
      .where('bot', '=', false)
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

/** A user to notify, with the address of the global setting. */
interface ResolvedRecipient {
  readonly user: UserActor
  readonly summary: UserSummary
  readonly reason: RecipientReason
  /** Null for the primary address. */
  readonly chosenEmail: string | null
}

/**
 * The users to notify of an event, by user id: only users who can read the target and the note, without the user who caused
 * it. Empty if `emailsDisabled` of the project or of a group above is true.
 */
export async function resolveRecipients(
  ctx: Context,
  { event, target, noteId, mentioned, former = [], onlyMentioned = false, labels, actorId }: NotificationEvent,
): Promise<ResolvedRecipient[]> {
  const isNoteable = target.kind !== 'pipeline' && target.kind !== 'commitComment'
  const note = noteId === undefined || !isNoteable ? undefined : await getNoteSubject(ctx, target, noteId)
  const scope = getScope(target)
  if (await areEmailsDisabled(ctx, scope)) return []
  const subscriptions = await findSubscriptions(ctx, target)
  const options = { event, mentioned, former, onlyMentioned, labels, subscriptions }
  const candidates = await findCandidates(ctx, target, options)
  const users = await loadCandidates(ctx, candidates, actorId)
  const settings = await findEffectiveSettings(
    ctx,
    scope,
    users.map(({ user }) => user.id),
  )
  const recipients: ResolvedRecipient[] = []
  for (const { user, summary } of users) {
    const { setting, email } = defined(settings.get(user.id))
    const reasons = defined(candidates.get(user.id))
    const reason = resolveReason(reasons, setting, event, subscriptions.get(user.id) === false)
    if (reason === undefined || !(await canReadTarget(ctx, target, note, user))) continue
    recipients.push({ user, summary, reason, chosenEmail: email })
  }
  return recipients
}

/** The same users with their addresses. */
export async function findRecipients(ctx: Context, event: NotificationEvent): Promise<Recipient[]> {
  const recipients: Recipient[] = []
  for (const { user, summary, reason, chosenEmail } of await resolveRecipients(ctx, event)) {
    recipients.push({ user: summary, email: await readNotificationEmail(ctx, user.id, chosenEmail), reason })
  }
  return recipients
}
