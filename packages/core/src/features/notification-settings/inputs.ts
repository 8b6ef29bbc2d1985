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

const flags = Object.fromEntries(emailEvents.map((kind) => [kind, Flag])) as Flags

/** Kinds by themselves or together in `events`; one that stands by itself counts more. */
export const settingInput = {
  level: v.optional(v.string()),
  ...flags,
  events: v.optional(v.object(flags)),
}

export type SettingInput = v.InferOutput<v.ObjectSchema<typeof settingInput, undefined>>

const longestQuotation = 255

/**
 * The level that was asked for, if any.
 *
 * @throws PlatformError `invalid` for one that is not there
 */
export const levelFrom = (text: string | undefined): NotificationLevel | undefined => {
  if (text === undefined || isNotificationLevel(text)) return text
  throw invalid(`'${[...text].slice(0, longestQuotation).join('')}' is not a valid level`)
}

/** The kinds that were named, as far as they can happen in the place. */
export const eventsFrom = (input: SettingInput, kinds: readonly EmailEvent[]): StoredEvents =>
  Object.fromEntries(
    kinds.flatMap((kind) => {
      const value = input[kind] ?? input.events?.[kind]
      return value === undefined ? [] : [[kind, value]]
    }),
  )
