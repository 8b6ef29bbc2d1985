import { compileNamePattern } from '../../../kernel/name-pattern.ts'
import { parseHumanDuration } from '../../../shared/human-duration.ts'

/** A tag as the rules evaluate it. */
export interface DatedTag {
  readonly name: string
  /** When the image was built, not when the tag was pushed; ISO 8601, `null` if the image has no date. */
  readonly createdAt: string | null
}

export interface BulkDeleteRules {
  /** Pattern of the names to delete; matches whole names. */
  readonly nameRegexDelete: string
  /** Pattern of the names to keep; `''` matches none. */
  readonly nameRegexKeep?: string | undefined
  /** Number of newest matching tags to keep. */
  readonly keepN?: number | undefined
  /** Minimum age of the tags to delete, as a human-readable duration: `1month`. */
  readonly olderThan?: string | undefined
}

/**
 * Selects tags by name, never `latest` (specification 2, "Bulk deletion rules", 2 and 3). Returns `undefined` for an
 * invalid pattern, in which case nothing is deleted. A hostile pattern takes several milliseconds per name, so callers
 * yield to the event loop between names.
 */
export const createTagSelector = ({
  nameRegexDelete,
  nameRegexKeep = '',
}: BulkDeleteRules): ((name: string) => boolean) | undefined => {
  const [toDelete, toKeep] = [compileNamePattern(nameRegexDelete), compileNamePattern(nameRegexKeep)]
  if ('problem' in toDelete || 'problem' in toKeep) return undefined
  const isKept = (name: string) => nameRegexKeep !== '' && toKeep.pattern.matches(name)
  return (name) => name !== 'latest' && toDelete.pattern.matches(name) && !isKept(name)
}

const sortNewestFirst = <T extends DatedTag>(tags: readonly T[], now: number): T[] => {
  // A tag without a date counts as new, so it is kept first.
  const time = ({ createdAt }: T) => (createdAt === null ? now : Date.parse(createdAt))
  return tags.toSorted((one, other) => time(other) - time(one))
}

const isNaturalNumber = (value: number) => Number.isSafeInteger(value) && value >= 0

/** Whether the rules depend on the age of tags as well as on their names. */
export const needsAge = ({ keepN, olderThan }: BulkDeleteRules): boolean =>
  keepN !== undefined || olderThan !== undefined

/**
 * Selects from the tags that match by name those to delete (rules 1, 4 and 5): all but the `keepN` newest, and of these
 * the ones older than `olderThan`. With `keepN` the result is sorted newest first, otherwise the order is unchanged.
 * Invalid rules (an unreadable duration, a negative number) delete nothing. `now`: ISO 8601.
 */
export const selectExpiredTags = <T extends DatedTag>(
  selected: readonly T[],
  rules: BulkDeleteRules,
  now: string,
): T[] => {
  const { keepN, olderThan } = rules
  const age = olderThan === undefined ? undefined : parseHumanDuration(olderThan)
  if ((olderThan !== undefined && age === undefined) || (keepN !== undefined && !isNaturalNumber(keepN))) return []
  const instant = Date.parse(now)
  const candidates = keepN === undefined ? selected : sortNewestFirst(selected, instant).slice(keepN)
  const isOldEnough = ({ createdAt }: DatedTag) =>
    age === undefined || (createdAt !== null && Date.parse(createdAt) < instant - 1000 * age)
  return candidates.filter(isOldEnough)
}
