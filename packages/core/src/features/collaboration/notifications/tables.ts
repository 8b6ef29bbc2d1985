import type { Generated } from 'kysely'
import type { NotifiableEvent, RecipientReason } from '../notification-settings/notification-setting.ts'
import type { MailState, NotificationTargetKind } from './notification.ts'

export interface NotificationTables {
  /** A user was notified of an event. */
  notification: {
    id: Generated<number>
    userId: number
    /** The same for all users who were notified of an event. */
    eventKey: string
    event: NotifiableEvent
    reason: RecipientReason
    targetKind: NotificationTargetKind
    /** Without a foreign key: removed items are found missing. */
    targetId: number
    noteId: number | null
    /** The user who caused the event; null for the host. */
    authorId: number | null
    siteUrl: string | null
    mailState: MailState
    createdAt: string
  }
}
