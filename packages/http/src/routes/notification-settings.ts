import { features } from '@forgelet/core/operations'
import { one } from '../reply/responders.ts'
import { route } from '../routing/route.ts'
import { GlobalNotificationSettingWire, NotificationSettingWire } from '../shapes/notification-setting.ts'

const { notificationSettings } = features

/** Projects have no epics. */
const hiddenEvents = { groups: [], projects: ['newEpic'] } as const

export const notificationSettingRoutes = [
  route('GET /notification_settings', notificationSettings.getGlobal, one(GlobalNotificationSettingWire)),
  route('PUT /notification_settings', notificationSettings.updateGlobal, one(GlobalNotificationSettingWire)),
  ...(['groups', 'projects'] as const).flatMap((base) => [
    route(`GET /${base}/:id/notification_settings`, notificationSettings.get, one(NotificationSettingWire)),
    route(`PUT /${base}/:id/notification_settings`, notificationSettings.update, one(NotificationSettingWire), {
      hidden: hiddenEvents[base],
    }),
  ]),
]
