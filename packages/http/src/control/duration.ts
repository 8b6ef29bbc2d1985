import { PlatformError } from '@forgelet/core'
import * as v from 'valibot'

const Count = v.optional(v.pipe(v.number(), v.minValue(0)))

/** A length of time. Months and years are those of the calendar, in UTC; a day has 86,400 seconds. */
export const DurationSchema = v.strictObject({
  milliseconds: Count,
  seconds: Count,
  minutes: Count,
  hours: Count,
  days: Count,
  weeks: Count,
  months: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  years: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
})

/** How long: numbers by unit, added up: `{ days: 1, hours: 2 }`. Months and years are those of the calendar. */
export type Duration = v.InferInput<typeof DurationSchema>

/** A point in time: milliseconds since 1970, a date, or its ISO 8601 form. */
export type Instant = number | string | Date

const milliseconds = { milliseconds: 1, seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const

/** 31 January and a month is the last day of February. */
const monthsLater = (instant: number, months: number): number => {
  const date = new Date(instant)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + months)
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime()
}

/** The instant in milliseconds that lies a duration after another one. */
export const after = (instant: number, { months = 0, years = 0, weeks = 0, ...exact }: Duration): number => {
  let later = monthsLater(instant, months + 12 * years) + weeks * 7 * milliseconds.days
  for (const [unit, count = 0] of Object.entries(exact))
    later += count * milliseconds[unit as keyof typeof milliseconds]
  return Math.round(later)
}

/**
 * @returns milliseconds since 1970
 * @throws PlatformError `invalid_input` when it is no instant
 */
export const instantOf = (given: Instant): number => {
  const instant = typeof given === 'number' ? given : given instanceof Date ? given.getTime() : Date.parse(given)
  if (Number.isFinite(instant) && Math.abs(instant) <= 8.64e15) return Math.round(instant)
  const message = 'is no instant: write it as 2026-11-21T12:00:00Z or in milliseconds since 1970'
  throw new PlatformError('invalid_input', `${String(given)} ${message}`, { problems: [{ fields: ['at'], message }] })
}
