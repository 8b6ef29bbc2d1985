import * as v from 'valibot'
import { Id, Instant, mutuallyExclusive } from '../../kernel/inputs.ts'

/** Issue filters: specification 1, "Issue statistics". */

const integerPattern = /^-?[0-9]+$/

/** The keywords `None` and `Any` are case-insensitive. */
export const isNone = (value: unknown): boolean => typeof value === 'string' && value.toLowerCase() === 'none'
export const isAny = (value: unknown): boolean => typeof value === 'string' && value.toLowerCase() === 'any'

const AssigneeId = v.pipe(
  v.union([v.number(), v.string()]),
  v.check(
    (value) =>
      typeof value === 'number'
        ? Number.isSafeInteger(value)
        : value === '' ||
          isNone(value) ||
          isAny(value) ||
          (integerPattern.test(value) && Number.isSafeInteger(Number(value))),
    ({ input }) => `should be an integer, 'None' or 'Any', however got ${String(input)}`,
  ),
)

const maxLabels = 50
const maxElements = 1_000
const maxSearchLength = 1_024

const matchingInput = {
  /** Label names, all of which an issue must have. `None`: no label, `Any`: at least one. */
  labels: v.optional(v.pipe(v.array(v.string()), v.maxLength(maxLabels))),
  /** A title, `None`, `Any`, `#upcoming` (the next due date of each project or group) or `#started`. */
  milestone: v.optional(v.string()),
  authorId: v.optional(Id),
  authorUsername: v.optional(v.string()),
  /** A user id. `None` or 0: no assignee, `Any`: at least one. */
  assigneeId: v.optional(AssigneeId),
  /** Usernames, all of which must be assigned. More than one requires the paid tier. */
  assigneeUsername: v.optional(v.pipe(v.array(v.string()), v.maxLength(maxElements))),
  /** An emoji that the caller has given. `None`: no emoji of the caller, `Any`: at least one. */
  myReactionEmoji: v.optional(v.string()),
  iids: v.optional(v.pipe(v.array(Id), v.maxLength(maxElements))),
}

/** Input of operations that filter issues. Instants are inclusive bounds. */
export const filterInput = {
  ...matchingInput,
  scope: v.optional(v.picklist(['created_by_me', 'assigned_to_me', 'all', 'created-by-me', 'assigned-to-me'])),
  /** Words and quoted phrases, all of which an issue must contain. */
  search: v.optional(
    v.pipe(
      v.string(),
      v.check((text) => text.length <= maxSearchLength, `is too long (maximum is ${maxSearchLength} characters)`),
    ),
  ),
  /** Fields that `search` covers; both by default. */
  in: v.optional(v.array(v.picklist(['title', 'description']))),
  createdAfter: v.optional(Instant),
  createdBefore: v.optional(Instant),
  updatedAfter: v.optional(Instant),
  updatedBefore: v.optional(Instant),
  confidential: v.optional(v.boolean()),
  /** Excludes issues that match any of these filters. */
  not: v.optional(v.strictObject(matchingInput)),
}

type Parsed<E extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<E, undefined>>

export type MatchingFilters = Parsed<typeof matchingInput>
export type IssueFilters = Parsed<typeof filterInput>

/** A user is given by id or by username. */
export const filterRules = [
  mutuallyExclusive<IssueFilters>('authorId', 'authorUsername'),
  mutuallyExclusive<IssueFilters>('assigneeId', 'assigneeUsername'),
]
