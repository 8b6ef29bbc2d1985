import * as v from 'valibot'
import { keysOf } from '../../../shared/keys-of.ts'

/** Specification 1, "Notification setting". `global` inherits from ancestor groups, then from the global setting. */
export const notificationLevels = ['disabled', 'participating', 'watch', 'global', 'mention', 'custom'] as const

export type NotificationLevel = (typeof notificationLevels)[number]

export const isNotificationLevel = (text: string): text is NotificationLevel =>
  (notificationLevels as readonly string[]).includes(text)

/** Reasons to notify a user; `rules.ts` has their precedence. */
export type NotificationReason = 'mentioned' | 'assigned' | 'participating' | 'subscribed' | 'watching'

/** Why a user is notified. `custom`: the event is one of those that the user has chosen. */
export type RecipientReason = NotificationReason | 'custom'

const Flag = v.optional(v.boolean())

/** The e-mail events of the specification, as input fields. With the level `custom`, those that are true notify the user. */
export const emailEventEntries = {
  /** A comment was written. */
  newNote: Flag,
  /** An issue was opened. */
  newIssue: Flag,
  /** An issue was reopened. */
  reopenIssue: Flag,
  /** An issue was closed. */
  closeIssue: Flag,
  /** The assignees of an issue changed. */
  reassignIssue: Flag,
  /** An open issue is due on the next day. */
  issueDue: Flag,
  /** A merge request was opened. */
  newMergeRequest: Flag,
  /** Commits were pushed to the source branch of a merge request. */
  pushToMergeRequest: Flag,
  /** A merge request was reopened. */
  reopenMergeRequest: Flag,
  /** A merge request was closed without a merge. */
  closeMergeRequest: Flag,
  /** The assignees of a merge request changed. */
  reassignMergeRequest: Flag,
  /** A merge request was merged. */
  mergeMergeRequest: Flag,
  /** A pipeline failed. True by default. */
  failedPipeline: Flag,
  /** A pipeline succeeded after a failure. True by default. */
  fixedPipeline: Flag,
  /** A pipeline succeeded. */
  successPipeline: Flag,
  /** An epic was opened. Ignored for projects and on the tier `free`. */
  newEpic: Flag,
}

export type EmailEvent = keyof typeof emailEventEntries

export const emailEvents = keysOf(emailEventEntries)

/** Labels were added to an issue or a merge request: concerns the subscribers of the labels, without a setting. */
export const relabelEvent = 'relabel'

/** All events of which users can be notified. */
export type NotifiableEvent = EmailEvent | typeof relabelEvent

export const notifiableEvents: readonly NotifiableEvent[] = [...emailEvents, relabelEvent]

/** All events that are available in a scope. */
export type EmailEvents = { -readonly [K in keyof typeof emailEventEntries]?: boolean }

/** Events that a user has set. */
export type StoredEvents = Readonly<EmailEvents>

const enabledByDefault: readonly EmailEvent[] = ['failedPipeline', 'fixedPipeline']

/** Whether a custom setting includes an event. */
export const isEventEnabled = (stored: StoredEvents, event: NotifiableEvent): boolean =>
  event !== relabelEvent && (stored[event] ?? enabledByDefault.includes(event))

/** Projects have no epics, and the free tier has none at all. */
export const availableEvents = (scope: 'global' | 'group' | 'project', tier: 'paid' | 'free'): readonly EmailEvent[] =>
  scope === 'project' || tier === 'free' ? emailEvents.filter((event) => event !== 'newEpic') : emailEvents

/** A user's notification setting for a project or a group, or the global one for those without a setting. */
export interface NotificationSetting {
  /**
   * `disabled`: no email. `mention`: only mentions. `participating`: items that the user wrote, commented on, is assigned
   * to, reviews or is mentioned in. `watch`: all events. `custom`: as `participating`, and the events that are true.
   * `global`: the setting of the nearest group above, else the global one. A subscription to an issue, a merge request or a
   * label applies at every level except `disabled`. After an end of the subscription to an item, only mentions notify.
   */
  level: NotificationLevel
  /** Present when the level is `custom`: whether each event that is available in the scope causes an email. */
  events?: EmailEvents
  /**
   * The address for notifications, of the global setting only: the chosen one if it still belongs to the user, else the primary
   * address.
   */
  notificationEmail?: string
}
