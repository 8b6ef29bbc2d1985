import * as v from 'valibot'
import { invalid } from '../../kernel/errors.ts'
import {
  type EmailEvent,
  emailEvents,
  isNotificationLevel,
  type NotificationLevel,
  type StoredEvents,
} from './notification-setting.ts'

const Flag = v.optional(v.boolean())

type Flags = { readonly [K in EmailEvent]: typeof Flag }

const flags = Object.fromEntries(emailEvents.map((event) => [event, Flag])) as Flags

/** Events as top-level fields or in `events`; top-level fields take precedence. */
export const settingInput = {
  level: v.optional(v.string()),
  ...flags,
  events: v.optional(v.object(flags)),
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
