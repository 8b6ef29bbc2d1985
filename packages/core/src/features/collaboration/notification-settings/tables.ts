import type { Generated } from 'kysely'
import type { NotificationLevel, StoredEvents } from './notification-setting.ts'

export interface NotificationSettingTables {
  /** A user's setting for a project, for a group and everything below it, or a global setting if both ids are null. */
  notificationSetting: {
    id: Generated<number>
    userId: number
    projectId: number | null
    groupId: number | null
    level: NotificationLevel
    /** Null for the user's primary address. Always null for projects and groups. */
    notificationEmail: string | null
    events: StoredEvents
    createdAt: string
    updatedAt: string
  }
  /** An address of a user in addition to the primary one. */
  emailAddress: {
    id: Generated<number>
    userId: number
    email: string
    createdAt: string
    /** Null until the address is confirmed. Unconfirmed addresses receive no mail. */
    confirmedAt: string | null
  }
}
