import {
  type EmailEvents,
  emailEvents,
  type GlobalNotificationSetting,
  type NotificationSetting,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { computed, snake, wire } from '../wire.ts'

const flags = Object.fromEntries(emailEvents.map((kind) => [snake(kind), v.optional(v.boolean())]))

const underWireNames = (events: EmailEvents | undefined) =>
  events && Object.fromEntries(Object.entries(events).map(([kind, on]) => [snake(kind), on]))

const events = computed(v.optional(v.object(flags)), (setting: NotificationSetting) => underWireNames(setting.events))

/** Settings of a group or project: specification 1, "Notification setting". `events` only at the level `custom`. */
export const NotificationSettingWire = wire<NotificationSetting>()({ level: v.string(), events })

/** Settings of the user, with the address for mail. */
export const GlobalNotificationSettingWire = wire<GlobalNotificationSetting>()({
  level: v.string(),
  notification_email: v.string(),
  events,
})
