import { humanDuration } from '../../kernel/human-duration.ts'
import { tagPattern } from './tag-pattern.ts'

/** What the choice needs to know of a tag. */
export interface DatedTag {
  readonly name: string
  /** When the image was made, not when the tag was pushed; ISO 8601, `null` when the image does not say. */
  readonly createdAt: string | null
}

export interface BulkDeleteRules {
  /** Expression that names to delete match as a whole. */
  readonly nameRegexDelete: string
  /** Expression that protects names; `''` protects none. */
  readonly nameRegexKeep?: string | undefined
  /** How many of the latest matching tags stay. */
  readonly keepN?: number | undefined
  /** A time span as people write it: `1month`. Only tags older than that go. */
  readonly olderThan?: string | undefined
}

/**
 * The first half of the choice (specification 2, "Bulk deletion rules", 2 and 3): which names the expressions mean, never
 * `latest`. `undefined` when an expression is not valid: then nothing is deleted. A hostile expression takes some
 * milliseconds a name, so whoever judges many lets others run in between.
 */
export const tagSelector = ({
  nameRegexDelete,
  nameRegexKeep = '',
}: BulkDeleteRules): ((name: string) => boolean) | undefined => {
  const [chosen, kept] = [tagPattern(nameRegexDelete), tagPattern(nameRegexKeep)]
  if ('complaint' in chosen || 'complaint' in kept) return undefined
  const keeps = (name: string) => nameRegexKeep !== '' && kept.pattern.matches(name)
  return (name) => name !== 'latest' && chosen.pattern.matches(name) && !keeps(name)
}

const newestFirst = <T extends DatedTag>(tags: readonly T[], now: number): T[] => {
  // A tag of unknown age counts as made now, so it is among those that stay.
  const time = ({ createdAt }: T) => (createdAt === null ? now : Date.parse(createdAt))
  return tags.toSorted((one, other) => time(other) - time(one))
}

const wholeNumber = (value: number) => Number.isSafeInteger(value) && value >= 0

/** The rules ask for the age of tags, not for their names alone. */
export const asksForAge = ({ keepN, olderThan }: BulkDeleteRules): boolean =>
  keepN !== undefined || olderThan !== undefined

/**
 * The second half (rules 1, 4 and 5): of the tags that the expressions mean, the `keepN` newest stay, and of the rest the
 * ones older than `olderThan` go. They keep their order, with `keepN` they stand newest first. Rules that cannot be read (a
 * time span that says nothing, a negative number) delete nothing. `now`: ISO 8601.
 */
export const tagsPastKeeping = <T extends DatedTag>(
  selected: readonly T[],
  rules: BulkDeleteRules,
  now: string,
): T[] => {
  const { keepN, olderThan } = rules
  const age = olderThan === undefined ? undefined : humanDuration(olderThan)
  if ((olderThan !== undefined && age === undefined) || (keepN !== undefined && !wholeNumber(keepN))) return []
  const instant = Date.parse(now)
  const superfluous = keepN === undefined ? selected : newestFirst(selected, instant).slice(keepN)
  const old = ({ createdAt }: DatedTag) =>
    age === undefined || (createdAt !== null && Date.parse(createdAt) < instant - 1000 * age)
  return superfluous.filter(old)
}
