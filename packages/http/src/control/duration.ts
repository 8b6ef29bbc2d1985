import { PlatformError } from '@forgelet/core'
import * as v from 'valibot'

const NonNegativeNumber = v.optional(v.pipe(v.number(), v.minValue(0)))

/** Months and years are calendar units in UTC; a day has 86,400 seconds. */
export const DurationSchema = v.strictObject({
  milliseconds: NonNegativeNumber,
  seconds: NonNegativeNumber,
  minutes: NonNegativeNumber,
  hours: NonNegativeNumber,
  days: NonNegativeNumber,
  weeks: NonNegativeNumber,
  months: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  years: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
})

/** The sum of numbers by unit: `{ days: 1, hours: 2 }`. Months and years are calendar units. */
export type Duration = v.InferInput<typeof DurationSchema>

/** A point in time: milliseconds since 1970, a `Date`, or ISO 8601 text. */
export type Instant = number | string | Date

const millisecondsPerUnit = {
  milliseconds: 1,
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
} as const

/** One month after 31 January is the last day of February. */
const addMonths = (instant: number, months: number): number => {
  const date = new Date(instant)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + months)
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime()
}

/** @returns milliseconds since 1970 */
export const addDuration = (instant: number, { months = 0, years = 0, weeks = 0, ...exact }: Duration): number => {
  let result = addMonths(instant, months + 12 * years) + weeks * 7 * millisecondsPerUnit.days
  for (const [unit, count = 0] of Object.entries(exact))
    result += count * millisecondsPerUnit[unit as keyof typeof millisecondsPerUnit]
  return Math.round(result)
}

/**
 * @returns milliseconds since 1970
 * @throws PlatformError `invalid_input` if it is not a valid time
 */
export const parseInstant = (input: Instant): number => {
  const instant = typeof input === 'number' ? input : input instanceof Date ? input.getTime() : Date.parse(input)
  if (Number.isFinite(instant) && Math.abs(instant) <= 8.64e15) return Math.round(instant)
  const message = 'is not a valid time: use ISO 8601, such as 2026-11-21T12:00:00Z, or milliseconds since 1970'
  throw new PlatformError('invalid_input', `${String(input)} ${message}`, { problems: [{ fields: ['at'], message }] })
}
