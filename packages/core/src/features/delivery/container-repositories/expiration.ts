import { namePatternProblem } from '../../../kernel/name-pattern.ts'
import { defined } from '../../../shared/defined.ts'
import type { ProjectSettings } from '../../spaces/projects/settings.ts'
import type { BulkDeleteRules } from './bulk-delete.ts'

/** Scheduled removal of tags: specification 2, "Project record", `container_expiration_policy`. */
export type ExpirationPolicy = ProjectSettings['containerExpirationPolicy']

const daysByCadence: Readonly<Record<string, number>> = { '1d': 1, '7d': 7, '14d': 14 }
const monthsByCadence: Readonly<Record<string, number>> = { '1month': 1, '3month': 3 }

/** The same day of a later month, or the last day of that month. */
const addMonths = (instant: string, count: number): string => {
  const date = new Date(instant)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + count)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.toISOString()
}

/** The next run of a policy that ran at `instant`; undefined for an unknown cadence. */
export const nextRunAfter = (cadence: string, instant: string): string | undefined => {
  if (Object.hasOwn(monthsByCadence, cadence)) return addMonths(instant, defined(monthsByCadence[cadence]))
  if (!Object.hasOwn(daysByCadence, cadence)) return undefined
  return new Date(Date.parse(instant) + defined(daysByCadence[cadence]) * 86_400_000).toISOString()
}

/** Whether the policy is due. A policy without `nextRunAt` has not run yet. */
export const isDue = ({ enabled, nextRunAt, cadence }: ExpirationPolicy, now: string): boolean => {
  if (!enabled || nextRunAfter(cadence, now) === undefined) return false
  return nextRunAt === null || !(Date.parse(nextRunAt) > Date.parse(now))
}

/** The deletion rules of a policy; undefined if a pattern is missing or invalid, so that nothing is removed. */
export const toDeleteRules = ({
  keepN,
  olderThan,
  nameRegex,
  nameRegexKeep,
}: ExpirationPolicy): BulkDeleteRules | undefined => {
  const patterns = [nameRegex ?? '', nameRegexKeep ?? '']
  if (!nameRegex || patterns.some((text) => namePatternProblem(text) !== undefined)) return undefined
  return {
    nameRegexDelete: nameRegex,
    ...(nameRegexKeep && { nameRegexKeep }),
    ...(keepN !== null && { keepN }),
    ...(olderThan !== null && { olderThan }),
  }
}
