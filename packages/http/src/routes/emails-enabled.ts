import * as v from 'valibot'
import { toBoolean } from '../request/converters.ts'
import type { Parameters } from '../request/parameters.ts'

const invert = (value: unknown): unknown => {
  const converted = toBoolean(value)
  return typeof converted === 'boolean' ? !converted : value
}

/** Converts `emails_enabled` to its opposite. Values that are not a truth value stay as they are, for the error of the input. */
export const readEmailsEnabled = ({ emails_enabled: enabled, ...sent }: Parameters): Parameters =>
  enabled === undefined ? sent : { ...sent, emails_disabled: invert(enabled) }

/** The parameter that `readEmailsEnabled` reads. */
export const emailsEnabledParameter = {
  emails_enabled: v.optional(
    v.pipe(
      v.nullable(v.boolean()),
      v.description('The opposite of `emails_disabled`, over which it takes precedence.'),
    ),
  ),
}
