/** Specification 1, "Notification setting". `global` leaves it to the groups above, and then to the user's own setting. */
export const notificationLevels = ['disabled', 'participating', 'watch', 'global', 'mention', 'custom'] as const

export type NotificationLevel = (typeof notificationLevels)[number]

export const isNotificationLevel = (text: string): text is NotificationLevel =>
  (notificationLevels as readonly string[]).includes(text)

/** The email event kinds of the specification, as inputs and results name them. */
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

/** Only those that were ever set. */
export type StoredEvents = { readonly [K in EmailEvent]?: boolean }

/** Each kind that can happen in the place. */
export type EmailEvents = Partial<Record<EmailEvent, boolean>>

/** Told unless they were switched off. */
const onByDefault: readonly EmailEvent[] = ['failedPipeline', 'fixedPipeline']

/** Whether a custom setting asks to be told of a kind. */
export const asksFor = (stored: StoredEvents, kind: EmailEvent): boolean => stored[kind] ?? onByDefault.includes(kind)

/** Projects have no epics, and a platform without the paid tier has none at all. */
export const kindsAt = (place: 'global' | 'group' | 'project', tier: 'paid' | 'free'): readonly EmailEvent[] =>
  place === 'project' || tier === 'free' ? emailEvents.filter((kind) => kind !== 'newEpic') : emailEvents

/** What a user wants to be told of a project or a group. */
export interface NotificationSetting {
  level: NotificationLevel
  /** Present when the level is `custom`. */
  events?: EmailEvents
}

/** What a user wants to be told of everything else. */
export interface GlobalNotificationSetting extends NotificationSetting {
  notificationEmail: string
}
