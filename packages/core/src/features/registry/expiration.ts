import type { ProjectSettings } from '../projects/settings.ts'
import type { BulkDeleteRules } from './bulk-delete.ts'
import { tagPatternComplaint } from './tag-pattern.ts'

/** When and what a project's registry loses by itself: specification 2, "Project record", `container_expiration_policy`. */
export type ExpirationPolicy = ProjectSettings['containerExpirationPolicy']

const days: Readonly<Record<string, number>> = { '1d': 1, '7d': 7, '14d': 14 }
const months: Readonly<Record<string, number>> = { '1month': 1, '3month': 3 }

/** The same day of a later month, or that month's last one. */
const monthsAfter = (instant: string, count: number): string => {
  const date = new Date(instant)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + count)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.toISOString()
}

/** When a policy that ran at an instant runs again; undefined for a cadence that says nothing. */
export const nextRunAfter = (cadence: string, instant: string): string | undefined => {
  if (Object.hasOwn(months, cadence)) return monthsAfter(instant, months[cadence] as number)
  if (!Object.hasOwn(days, cadence)) return undefined
  return new Date(Date.parse(instant) + (days[cadence] as number) * 86_400_000).toISOString()
}

/** Whether it runs now: a policy without a date has not run yet, and a day is the finest that it knows. */
export const isDue = ({ enabled, nextRunAt, cadence }: ExpirationPolicy, now: string): boolean => {
  if (!enabled || nextRunAfter(cadence, now) === undefined) return false
  return nextRunAt === null || !(Date.parse(nextRunAt) > Date.parse(now))
}

/**
 * What it removes. Undefined where it names nothing or an expression cannot be read: then it removes nothing, as little as
 * the same rules would in a call.
 */
export const expirationRules = ({
  keepN,
  olderThan,
  nameRegex,
  nameRegexKeep,
}: ExpirationPolicy): BulkDeleteRules | undefined => {
  const expressions = [nameRegex ?? '', nameRegexKeep ?? '']
  if (!nameRegex || expressions.some((text) => tagPatternComplaint(text) !== undefined)) return undefined
  return {
    nameRegexDelete: nameRegex,
    ...(nameRegexKeep && { nameRegexKeep }),
    ...(keepN !== null && { keepN }),
    ...(olderThan !== null && { olderThan }),
  }
}
