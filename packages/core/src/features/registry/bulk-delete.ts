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
 * The first half of the choice: which tags the expressions mean, never `latest`. `undefined` when an expression is not valid.
 * A hostile expression takes some milliseconds a name: ask in slices where many tags are judged.
 */
const tagSelector = ({
  nameRegexDelete,
  nameRegexKeep = '',
}: BulkDeleteRules): ((tag: DatedTag) => boolean) | undefined => {
  const [chosen, kept] = [tagPattern(nameRegexDelete), tagPattern(nameRegexKeep)]
  if ('complaint' in chosen || 'complaint' in kept) return undefined
  const keeps = (name: string) => nameRegexKeep !== '' && kept.pattern.matches(name)
  return ({ name }) => name !== 'latest' && chosen.pattern.matches(name) && !keeps(name)
}

const newestFirst = (tags: readonly DatedTag[], now: number): DatedTag[] => {
  // A tag of unknown age counts as made now, so it is among those that stay.
  const time = ({ createdAt }: DatedTag) => (createdAt === null ? now : Date.parse(createdAt))
  return tags.toSorted((one, other) => time(other) - time(one))
}

const wholeNumber = (value: number) => Number.isSafeInteger(value) && value >= 0

/** The second half: of the tags that the expressions mean, the ones that are neither among the newest nor too young. */
const tagsPastKeeping = (selected: readonly DatedTag[], rules: BulkDeleteRules, now: string): string[] => {
  const { keepN, olderThan } = rules
  const age = olderThan === undefined ? undefined : humanDuration(olderThan)
  if ((olderThan !== undefined && age === undefined) || (keepN !== undefined && !wholeNumber(keepN))) return []
  const instant = Date.parse(now)
  const superfluous = keepN === undefined ? selected : newestFirst(selected, instant).slice(keepN)
  const old = ({ createdAt }: DatedTag) =>
    age === undefined || (createdAt !== null && Date.parse(createdAt) < instant - 1000 * age)
  return superfluous.filter(old).map(({ name }) => name)
}

/**
 * Names of the tags that a bulk deletion removes; specification 2, "Bulk deletion rules", in this order: the tag `latest` stays, the
 * expressions choose, the `keepN` newest of those stay, of the rest the ones older than `olderThan` go.
 * Names keep the order of `tags`, with `keepN` they stand newest first. Rules that cannot be read (an invalid expression, a time span
 * that says nothing, a negative number) delete nothing. `now`: ISO 8601.
 */
export const tagsToDelete = (tags: readonly DatedTag[], rules: BulkDeleteRules, now: string): string[] => {
  const selected = tagSelector(rules)
  return selected === undefined ? [] : tagsPastKeeping(tags.filter(selected), rules, now)
}
