/** Specification 1, "Notification setting". `global` inherits from ancestor groups, then from the global setting. */
export const notificationLevels = ['disabled', 'participating', 'watch', 'global', 'mention', 'custom'] as const

export type NotificationLevel = (typeof notificationLevels)[number]

export const isNotificationLevel = (text: string): text is NotificationLevel =>
  (notificationLevels as readonly string[]).includes(text)

/** The email events of the specification. */
export const emailEvents = [
  'newNote',
  'newIssue',
  'reopenIssue',
  'closeIssue',
  'reassignIssue',
  'issueDue',
  'newMergeRequest',
  'pushToMergeRequest',
  'reopenMergeRequest',
  'closeMergeRequest',
  'reassignMergeRequest',
  'mergeMergeRequest',
  'failedPipeline',
  'fixedPipeline',
  'successPipeline',
  'newEpic',
] as const

export type EmailEvent = (typeof emailEvents)[number]

/** Events that a user has set. */
export type StoredEvents = { readonly [K in EmailEvent]?: boolean }

/** All events that are available in a scope. */
export type EmailEvents = Partial<Record<EmailEvent, boolean>>

const enabledByDefault: readonly EmailEvent[] = ['failedPipeline', 'fixedPipeline']

/** Whether a custom setting includes an event. */
export const isEventEnabled = (stored: StoredEvents, event: EmailEvent): boolean =>
  stored[event] ?? enabledByDefault.includes(event)

/** Projects have no epics, and the free tier has none at all. */
export const availableEvents = (scope: 'global' | 'group' | 'project', tier: 'paid' | 'free'): readonly EmailEvent[] =>
  scope === 'project' || tier === 'free' ? emailEvents.filter((event) => event !== 'newEpic') : emailEvents

/** A user's notification setting for a project or a group. */
export interface NotificationSetting {
  level: NotificationLevel
  /** Present when the level is `custom`. */
  events?: EmailEvents
}

/** A user's setting for all projects and groups without one of their own. */
export interface GlobalNotificationSetting extends NotificationSetting {
  notificationEmail: string
}
