import { Cron } from 'croner'

/** Minute, hour, day of the month, month and day of the week; without seconds and nicknames such as `@daily`. */
const fiveFields = /^\s*(?:[^\s@]+\s+){4}[^\s@]+\s*$/

export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The times of a pattern in a valid time zone; undefined for a pattern that is not valid. */
export const parseCron = (cron: string, timezone: string): Cron | undefined => {
  try {
    return fiveFields.test(cron) ? new Cron(cron, { timezone, paused: true }) : undefined
  } catch {
    return undefined
  }
}
