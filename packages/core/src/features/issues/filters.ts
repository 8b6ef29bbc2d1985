import * as v from 'valibot'
import { Id, Instant, mutuallyExclusive } from '../../kernel/inputs.ts'

/** Issue filters: specification 1, "Issue statistics". */

const integerPattern = /^-?[0-9]+$/

/** The keywords `None` and `Any` are case-insensitive. */
export const isNone = (value: unknown): boolean => typeof value === 'string' && value.toLowerCase() === 'none'
export const isAny = (value: unknown): boolean => typeof value === 'string' && value.toLowerCase() === 'any'

const AssigneeId = v.pipe(
  v.union([v.pipe(v.number(), v.metadata({ type: 'integer' })), v.string()]),
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
  /** Names of labels, at most 50, all of which an issue must have. `None`: no label, `Any`: at least one. */
  labels: v.optional(v.pipe(v.array(v.string()), v.maxLength(maxLabels))),
  /**
   * Title of a milestone. `None`: no milestone, `Any`: any, `#started`: active with a start day up to today, `#upcoming`:
   * the next due one of each project or group.
   */
  milestone: v.optional(v.string()),
  /** User id of the author. Cannot be combined with `authorUsername`. */
  authorId: v.optional(Id),
  /** Username of the author, case-insensitive; an unknown one matches no issue. Cannot be combined with `authorId`. */
  authorUsername: v.optional(v.string()),
  /** User id of an assignee. `None` or 0: no assignee, `Any`: at least one. Cannot be combined with `assigneeUsername`. */
  assigneeId: v.optional(AssigneeId),
  /**
   * Usernames, at most 1,000, all of which must be assigned. More than one requires the paid tier in statistics. Cannot be
   * combined with `assigneeId`.
   */
  assigneeUsername: v.optional(v.pipe(v.array(v.string()), v.maxLength(maxElements))),
  /** Name of an emoji that the caller has given. `None`: no emoji of the caller, `Any`: at least one. */
  myReactionEmoji: v.optional(v.string()),
  /** Numbers of issues within their projects, at most 1,000. An empty list is ignored. */
  iids: v.optional(v.pipe(v.array(Id), v.maxLength(maxElements))),
}

/** Input of operations that filter issues. */
export const filterInput = {
  ...matchingInput,
  /**
   * `created_by_me` or `assigned_to_me`: only those of the caller; `all`: no restriction. The forms with hyphens are
   * equivalent. Default: `created_by_me` in `issueStatistics.overall`, otherwise `all`.
   */
  scope: v.optional(v.picklist(['created_by_me', 'assigned_to_me', 'all', 'created-by-me', 'assigned-to-me'])),
  /**
   * Words of at least 3 characters and quoted phrases, all of which an issue must contain: at most 1,024 characters and 8
   * words.
   */
  search: v.optional(
    v.pipe(
      v.string(),
      v.check((text) => text.length <= maxSearchLength, `is too long (maximum is ${maxSearchLength} characters)`),
    ),
  ),
  /** Fields that `search` covers. Default, also if empty: both. */
  in: v.optional(v.array(v.picklist(['title', 'description']))),
  /** Only issues created at or after this time; ISO 8601, UTC without an offset. */
  createdAfter: v.optional(Instant),
  /** Only issues created at or before this time; ISO 8601, UTC without an offset. */
  createdBefore: v.optional(Instant),
  /** Only issues changed at or after this time; ISO 8601, UTC without an offset. */
  updatedAfter: v.optional(Instant),
  /** Only issues last changed at or before this time; ISO 8601, UTC without an offset. */
  updatedBefore: v.optional(Instant),
  /** Only confidential issues (true) or only others (false). Default: both. */
  confidential: v.optional(v.boolean()),
  /** Excludes issues that match any of these filters; each label and assignee counts separately. */
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
