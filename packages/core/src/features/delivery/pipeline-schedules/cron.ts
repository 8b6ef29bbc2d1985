import { Cron } from 'croner'
import { invalid } from '../../../kernel/errors.ts'

/** Minute, hour, day of the month, month and day of the week; without seconds and nicknames such as `@daily`. */
const fiveFields = /^\s*(?:[^\s@]+\s+){4}[^\s@]+\s*$/

const isTimeZone = (name: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const parseCron = (cron: string, timezone: string): Cron | undefined => {
  try {
    return fiveFields.test(cron) ? new Cron(cron, { timezone, paused: true }) : undefined
  } catch {
    return undefined
  }
}

/**
 * The first time after `now` that a pattern matches, ISO 8601 in UTC; null if there is none.
 *
 * @throws PlatformError `invalid` for a pattern or time zone that is not valid
 */
export const findNextRun = (cron: string, timezone: string, now: string): string | null => {
  if (!isTimeZone(timezone)) throw invalid({ cronTimezone: ['is invalid syntax'] })
  const parsed = parseCron(cron, timezone)
  if (parsed === undefined) throw invalid({ cron: ['is invalid syntax'] })
  return parsed.nextRun(new Date(now))?.toISOString() ?? null
}
