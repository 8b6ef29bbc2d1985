import { features } from '@forgelet/core/operations'
import { one } from '../reply/responders.ts'
import { route } from '../routing/route.ts'
import { GlobalNotificationSettingWire, NotificationSettingWire } from '../shapes/notification-setting.ts'

const { notificationSettings } = features

/** Projects have no epics. */
const hiddenInputs = { groups: ['notificationEmail'], projects: ['notificationEmail', 'newEpic'] } as const
const globalOptions = { hidden: ['project', 'group'] } as const

export const notificationSettingRoutes = [
  route('GET /notification_settings', notificationSettings.get, one(GlobalNotificationSettingWire), globalOptions),
  route('PUT /notification_settings', notificationSettings.update, one(GlobalNotificationSettingWire), globalOptions),
  ...(['groups', 'projects'] as const).flatMap((base) => [
    route(`GET /${base}/:id/notification_settings`, notificationSettings.get, one(NotificationSettingWire)),
    route(`PUT /${base}/:id/notification_settings`, notificationSettings.update, one(NotificationSettingWire), {
      hidden: hiddenInputs[base],
    }),
  ]),
]
