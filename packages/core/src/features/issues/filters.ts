import * as v from 'valibot'
import { Id, Instant, mutuallyExclusive } from '../../kernel/inputs.ts'

/** What issues can be filtered by: specification 1, "Issue statistics". */

const wholeNumber = /^-?[0-9]+$/

/** Some person or thing, or whether there is one at all; any case. */
export const isNone = (value: unknown): boolean => typeof value === 'string' && value.toLowerCase() === 'none'
export const isAny = (value: unknown): boolean => typeof value === 'string' && value.toLowerCase() === 'any'

/** A user's id, or None or Any. `0` means None. */
const AssigneeId = v.pipe(
  v.union([v.number(), v.string()]),
  v.check(
    (value) =>
      typeof value === 'number'
        ? Number.isSafeInteger(value)
        : value === '' ||
          isNone(value) ||
          isAny(value) ||
          (wholeNumber.test(value) && Number.isSafeInteger(Number(value))),
    ({ input }) => `should be an integer, 'None' or 'Any', however got ${String(input)}`,
  ),
)

const mostLabels = 50
const mostElements = 1_000
const longestSearch = 1_024

const matching = {
  /** Names, all of which an issue must carry; `None`: no label, `Any`: at least one. */
  labels: v.optional(v.pipe(v.array(v.string()), v.maxLength(mostLabels))),
  /** A title, `None`, `Any`, `#upcoming` (the next one due, of each project or group) or `#started`. */
  milestone: v.optional(v.string()),
  authorId: v.optional(Id),
  authorUsername: v.optional(v.string()),
  /** A user's id; `None` or 0: nobody, `Any`: anybody. */
  assigneeId: v.optional(AssigneeId),
  /** All of whom must be assigned. More than one needs the paid tier. */
  assigneeUsername: v.optional(v.pipe(v.array(v.string()), v.maxLength(mostElements))),
  /** An emoji that the caller has given; `None`: no emoji of the caller, `Any`: at least one. */
  myReactionEmoji: v.optional(v.string()),
  iids: v.optional(v.pipe(v.array(Id), v.maxLength(mostElements))),
}

/** Input fields of everything that filters issues. Instants are inclusive bounds. */
export const filterInput = {
  ...matching,
  scope: v.optional(v.picklist(['created_by_me', 'assigned_to_me', 'all', 'created-by-me', 'assigned-to-me'])),
  /** Words and quoted phrases, all of which must occur. */
  search: v.optional(
    v.pipe(
      v.string(),
      v.check((text) => text.length <= longestSearch, `is too long (maximum is ${longestSearch} characters)`),
    ),
  ),
  /** Where `search` looks; both by default. */
  in: v.optional(v.array(v.picklist(['title', 'description']))),
  createdAfter: v.optional(Instant),
  createdBefore: v.optional(Instant),
  updatedAfter: v.optional(Instant),
  updatedBefore: v.optional(Instant),
  confidential: v.optional(v.boolean()),
  /** The opposite of each: issues that match none of these. */
  not: v.optional(v.strictObject(matching)),
}

type Parsed<E extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<E, undefined>>

export type MatchingFilters = Parsed<typeof matching>
export type IssueFilters = Parsed<typeof filterInput>

/** Two ways to name the same person cannot be mixed. */
export const filterRules = [
  mutuallyExclusive<IssueFilters>('authorId', 'authorUsername'),
  mutuallyExclusive<IssueFilters>('assigneeId', 'assigneeUsername'),
]
