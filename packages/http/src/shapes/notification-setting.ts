import { type EmailEvents, emailEvents, type NotificationSetting } from '@forgelet/core/operations'
import * as v from 'valibot'
import { computed, wire } from '../reply/wire.ts'
import { toSnakeCase } from '../wire-names.ts'

const eventSchemas = Object.fromEntries(emailEvents.map((kind) => [toSnakeCase(kind), v.optional(v.boolean())]))

const toWireNames = (events: EmailEvents | undefined) =>
  events && Object.fromEntries(Object.entries(events).map(([kind, isEnabled]) => [toSnakeCase(kind), isEnabled]))

const eventsField = computed(v.optional(v.object(eventSchemas)), (setting: NotificationSetting) =>
  toWireNames(setting.events),
)

/** Settings for a group or project: specification 1, "Notification setting". `events` only at the level `custom`. */
export const NotificationSettingWire = wire<NotificationSetting>('NotificationSetting')({
  level: v.string(),
  events: eventsField,
})

/** The user's global settings, with the e-mail address. */
export const GlobalNotificationSettingWire = wire<NotificationSetting>('GlobalNotificationSetting')({
  level: v.string(),
  notification_email: computed(v.string(), ({ notificationEmail }: NotificationSetting) => notificationEmail ?? ''),
  events: eventsField,
})
