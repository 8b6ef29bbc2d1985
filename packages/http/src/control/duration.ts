import { parseInstant as parseInstantText } from '@forgelet/core/operations'
import * as v from 'valibot'
import { createInvalidValueError, isPlainObject } from './invalid-value.ts'

const millisecondsPerUnit = {
  milliseconds: 1,
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
} as const

const NonNegativeNumber = v.optional(v.pipe(v.number(), v.finite(), v.minValue(0)))
const NonNegativeInteger = v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)))

/** Months and years are calendar units in UTC; a day has 86,400 seconds. */
export const DurationSchema = v.strictObject({
  milliseconds: NonNegativeNumber,
  seconds: NonNegativeNumber,
  minutes: NonNegativeNumber,
  hours: NonNegativeNumber,
  days: NonNegativeNumber,
  weeks: NonNegativeNumber,
  months: NonNegativeInteger,
  years: NonNegativeInteger,
})

/** The sum of numbers by unit: `{ days: 1, hours: 2 }`. Months and years are calendar units. */
export type Duration = v.InferInput<typeof DurationSchema>

/** A point in time: milliseconds since 1970, a `Date`, or ISO 8601 text, which is UTC without an offset. */
export type Instant = number | string | Date

export const durationMessage = `is not a valid duration: use an object with non-negative finite numbers of the units ${Object.keys(
  DurationSchema.entries,
).join(', ')}, such as { days: 1, hours: 2 }; months and years are whole numbers`

/** @throws PlatformError `invalid_input` for values of another type, unknown units, and numbers that are negative or not finite */
export const parseDuration = (input: unknown): Duration => {
  const parsed = v.safeParse(DurationSchema, input)
  if (parsed.success && isPlainObject(input)) return parsed.output
  throw createInvalidValueError('by', input, durationMessage)
}

/** One month after 31 January is the last day of February. */
const addMonths = (instant: number, months: number): number => {
  const date = new Date(instant)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + months)
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime()
}

/** @returns milliseconds since 1970; NaN or a time out of range if it is too late */
export const addDuration = (instant: number, { months = 0, years = 0, weeks = 0, ...exact }: Duration): number => {
  let result = addMonths(instant, months + 12 * years) + weeks * 7 * millisecondsPerUnit.days
  for (const [unit, count = 0] of Object.entries(exact))
    result += count * millisecondsPerUnit[unit as keyof typeof millisecondsPerUnit]
  return Math.round(result)
}

/** ISO 8601 text with four digits of the year, which the database compares as text. */
const minInstant = Date.parse('0001-01-01T00:00:00Z')
const maxInstant = Date.parse('9999-12-31T23:59:59.999Z')

const instantMessage =
  'is not a valid time: use ISO 8601, such as 2026-11-21T12:00:00Z, or milliseconds since 1970; the year must be 1 to 9999'

/**
 * @param field what messages start with
 * @returns milliseconds since 1970
 * @throws PlatformError `invalid_input` if it is not a valid time
 */
export const parseInstant = (input: Instant, field = 'at'): number => {
  const instant = typeof input === 'string' ? parseInstantText(input) : Number(input)
  if (instant >= minInstant && instant <= maxInstant) return Math.round(instant)
  throw createInvalidValueError(field, input, instantMessage)
}
