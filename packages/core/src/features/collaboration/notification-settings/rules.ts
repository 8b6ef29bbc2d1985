import {
  isEventEnabled,
  type NotifiableEvent,
  type NotificationLevel,
  type NotificationReason,
  type RecipientReason,
} from './notification-setting.ts'
import type { StoredSetting } from './queries.ts'

const involved = ['mentioned', 'assigned', 'participating', 'subscribed'] as const

/** The reasons that notify at each level, the strongest first. */
const reasonsByLevel: Readonly<Record<NotificationLevel, readonly RecipientReason[]>> = {
  disabled: [],
  mention: ['mentioned', 'subscribed'],
  participating: involved,
  global: involved,
  watch: [...involved, 'watching'],
  custom: [...involved, 'custom'],
}

type Exceptions = { readonly [L in NotificationLevel]?: readonly RecipientReason[] }

/** Frequent events do not notify everyone who watches. */
const notForWatchers: Exceptions = { watch: involved }
/** Users with chosen events decide about the results of their pipelines. */
const chosenOnly: Exceptions = { custom: ['custom'] }

/** Events of which a level notifies for other reasons, as GitLab documents them. */
const exceptionsByEvent: { readonly [E in NotifiableEvent]?: Exceptions } = {
  issueDue: notForWatchers,
  pushToMergeRequest: notForWatchers,
  failedPipeline: chosenOnly,
  fixedPipeline: chosenOnly,
  successPipeline: { ...chosenOnly, participating: [], global: [], watch: [] },
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
): RecipientReason | undefined => {
  const accepted = exceptionsByEvent[event]?.[level] ?? reasonsByLevel[level]
  return accepted.find((reason) => {
    if (hasUnsubscribed && reason !== 'mentioned') return false
    // Every candidate could watch.
    if (reason === 'watching') return true
    return reason === 'custom' ? isEventEnabled(events, event) : reasons.has(reason)
  })
}
