import { type EmailEvents, emailEvents, features, type NotificationSetting } from '@forgelet/core/operations'
import * as v from 'valibot'
import { one } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'
import { toSnakeCase } from '../wire-names.ts'

const eventSchemas = Object.fromEntries(emailEvents.map((kind) => [toSnakeCase(kind), v.optional(v.boolean())]))

const toWireNames = (events: EmailEvents | undefined) =>
  events && Object.fromEntries(Object.entries(events).map(([kind, isEnabled]) => [toSnakeCase(kind), isEnabled]))

const eventsField = computed(v.optional(v.object(eventSchemas)), (setting: NotificationSetting) =>
  toWireNames(setting.events),
)

/** Settings for a group or project: specification 1, "Notification setting". `events` only at the level `custom`. */
const NotificationSettingWire = wire<NotificationSetting>('NotificationSetting')({
  level: v.string(),
  events: eventsField,
})

/** The user's global settings, with the e-mail address. */
const GlobalNotificationSettingWire = wire<NotificationSetting>('GlobalNotificationSetting')({
  level: v.string(),
  notification_email: computed(v.string(), ({ notificationEmail }: NotificationSetting) => notificationEmail ?? ''),
  events: eventsField,
})

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
