import * as v from 'valibot'
import { invalid } from '../../../kernel/errors.ts'
import {
  type EmailEvent,
  emailEventEntries,
  isNotificationLevel,
  type NotificationLevel,
  type StoredEvents,
} from './notification-setting.ts'

/** Events as top-level fields or in `events`; top-level fields take precedence. */
export const settingInput = {
  /**
   * `disabled`, `mention`, `participating`, `watch`, `custom` or `global`; unchanged if omitted. Default of the global
   * setting: `participating`; of a project or group: `global`.
   */
  level: v.optional(v.string()),
  ...emailEventEntries,
  /** The same events as one object; ignored for events that are also top-level fields. Omitted events keep their values. */
  events: v.optional(v.object(emailEventEntries)),
}

export type SettingInput = v.InferOutput<v.ObjectSchema<typeof settingInput, undefined>>

const maxQuotedLength = 255

/** @throws PlatformError `invalid` for an unknown level */
export const parseLevel = (text: string | undefined): NotificationLevel | undefined => {
  if (text === undefined || isNotificationLevel(text)) return text
  throw invalid(`'${[...text].slice(0, maxQuotedLength).join('')}' is not a valid level`)
}

/** The events in an input that are available in the scope. */
export const selectEvents = (input: SettingInput, available: readonly EmailEvent[]): StoredEvents =>
  Object.fromEntries(
    available.flatMap((event) => {
      const value = input[event] ?? input.events?.[event]
      return value === undefined ? [] : [[event, value]]
    }),
  )
