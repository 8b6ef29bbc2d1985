import type { Generated } from 'kysely'
import type { NotificationLevel, StoredEvents } from './notification-setting.ts'

export interface NotificationSettingTables {
  /** What a user wants to be told: of a project, of a group and all below it, or with neither of both of everything. */
  notificationSetting: {
    id: Generated<number>
    userId: number
    projectId: number | null
    groupId: number | null
    level: NotificationLevel
    /** Where mail goes; null for the user's own address, and for projects and groups. */
    notificationEmail: string | null
    events: StoredEvents
    createdAt: string
    updatedAt: string
  }
  /** A confirmed address of a user besides their own. */
  emailAddress: { id: Generated<number>; userId: number; email: string; createdAt: string }
}
