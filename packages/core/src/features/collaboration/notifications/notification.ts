import type { UserSummary } from '../../accounts/users/user.ts'
import type { NotifiableEvent, RecipientReason } from '../notification-settings/notification-setting.ts'

/** The kinds of items that users are notified of. */
export type NotificationTargetKind = 'issue' | 'mergeRequest' | 'epic' | 'snippet' | 'commitComment' | 'pipeline'

/**
 * What has become of the mail of a notification. `refused`: the mail server refused it for good. `skipped`: the user could not read the
 * item any more.
 */
export type MailState = 'pending' | 'sent' | 'refused' | 'skipped'

/** An event that may notify users, as it is queued: who is notified follows when the job runs. */
export interface NotificationRequest {
  /** Unique: a repeated job notifies no user again. */
  readonly key: string
  readonly event: NotifiableEvent
  readonly target: { readonly kind: NotificationTargetKind; readonly id: number }
  /** Id of the comment that is the event; null for others. */
  readonly note: number | null
  /** Names of users and groups that the text of the event mentions. */
  readonly mentions: readonly string[]
  /** Whether only the mentioned users are notified. */
  readonly onlyMentioned: boolean
  /** Ids of users who were assigned until the event. */
  readonly former: readonly number[]
  /** Names of the labels that the event added; null for all labels of the target. */
  readonly labels: readonly string[] | null
  /** The user who caused the event; null for the host. */
  readonly actorId: number | null
  /** Base URL of the site for links; null if unknown. */
  readonly siteUrl: string | null
}

/** A new notification, as the domain event contains it. */
export interface CreatedNotification extends Omit<Notification, 'author'> {
  /** Id of the notified user. */
  userId: number
  /** Id of the user who caused the event; null for the host. */
  authorId: number | null
}

/** A user was notified of an event. */
export interface Notification {
  /** Unique on the instance; later notifications have greater ids. */
  id: number
  /** The event, as in the settings: `newNote`; `relabel` for new labels. */
  event: NotifiableEvent
  /** Why the user was notified, with the user's settings at the time of the event. */
  reason: RecipientReason
  /** Kind of the item that the event concerns. */
  targetKind: NotificationTargetKind
  /** Id of the item on the instance, not its number in a project or group; of a comment on a commit, the id of the comment. */
  targetId: number
  /** Id of the new comment; null for other events and for comments on commits. */
  noteId: number | null
  /** The user who caused the event; null for the host, and after the removal of the user. */
  author: UserSummary | null
  /**
   * The mail to the user: `pending`, `sent`, `refused` by the mail server, or `skipped` because the user could not read the item any
   * more.
   */
  mailState: MailState
  /** When the user was notified: ISO 8601, UTC, with milliseconds. */
  createdAt: string
}
