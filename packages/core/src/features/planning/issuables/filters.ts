import * as v from 'valibot'
import { Id, IdOrName, Instant, mutuallyExclusive, Sort } from '../../../kernel/inputs.ts'
import { pagingEntries } from '../../../kernel/paging.ts'

/** Filters of issues and merge requests: specification 1, "Issue statistics". */

const integerPattern = /^-?[0-9]+$/

/** The keywords `None` and `Any` are case-insensitive. */
export const isNone = (value: unknown): boolean => typeof value === 'string' && value.toLowerCase() === 'none'
export const isAny = (value: unknown): boolean => typeof value === 'string' && value.toLowerCase() === 'any'

/** An integer, `None` or `Any`; empty for no filter. */
export const IntegerFilter = v.pipe(
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

export const scopes = ['created_by_me', 'assigned_to_me', 'all', 'created-by-me', 'assigned-to-me'] as const

const maxLabels = 50
const maxElements = 1_000
const maxSearchLength = 1_024

const milestoneKeywords = ['None', 'Any', 'Upcoming', 'Started'] as const

export const milestoneIdInput = {
  /**
   * `None`: no milestone, `Any`: any, `Started`: an active one with a start day up to today, `Upcoming`: the next due one of each
   * project or group; ignoring case. Cannot be combined with `milestone`.
   */
  milestoneId: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => milestoneKeywords.some((keyword) => keyword.toLowerCase() === text.toLowerCase()),
        'does not have a valid value',
      ),
      v.metadata({ enum: [...milestoneKeywords] }),
    ),
  ),
}

export const matchingInput = {
  /** Names of labels, at most 50, all of which an item must have. `None`: no label, `Any`: at least one. */
  labels: v.optional(v.pipe(v.array(v.string()), v.maxLength(maxLabels))),
  /**
   * Title of a milestone. `None`: no milestone, `Any`: any, `#started`: active with a start day up to today, `#upcoming`:
   * the next due one of each project or group.
   */
  milestone: v.optional(v.string()),
  /** User id of the author. Cannot be combined with `authorUsername`. */
  authorId: v.optional(Id),
  /** Username of the author, case-insensitive; an unknown one matches nothing. Cannot be combined with `authorId`. */
  authorUsername: v.optional(v.string()),
  /** User id of an assignee. `None` or 0: no assignee, `Any`: at least one. Cannot be combined with `assigneeUsername`. */
  assigneeId: v.optional(IntegerFilter),
  /**
   * Usernames, at most 1,000, all of which must be assigned. More than one requires the paid tier in statistics. Cannot be
   * combined with `assigneeId`.
   */
  assigneeUsername: v.optional(v.pipe(v.array(v.string()), v.maxLength(maxElements))),
  /** Name of an emoji that the current user has given. `None`: no emoji of the current user, `Any`: at least one. */
  myReactionEmoji: v.optional(v.string()),
  /** Numbers of the items within their projects, at most 1,000. An empty list is ignored. */
  iids: v.optional(v.pipe(v.array(Id), v.maxLength(maxElements))),
}

/** Input of operations that filter issues or merge requests. */
export const issuableFilterInput = {
  ...matchingInput,
  /**
   * `created_by_me` or `assigned_to_me`: only those of the current user; `all`: no restriction. The forms with hyphens are
   * equivalent. Default: `created_by_me` for the whole instance, otherwise `all`.
   */
  scope: v.optional(v.picklist(scopes)),
  /**
   * Words of at least 3 characters and quoted phrases, all of which an item must contain: at most 1,024 characters and 8
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
  /** Only items created at or after this time; ISO 8601, UTC without an offset. */
  createdAfter: v.optional(Instant),
  /** Only items created at or before this time; ISO 8601, UTC without an offset. */
  createdBefore: v.optional(Instant),
  /** Only items changed at or after this time; ISO 8601, UTC without an offset. */
  updatedAfter: v.optional(Instant),
  /** Only items last changed at or before this time; ISO 8601, UTC without an offset. */
  updatedBefore: v.optional(Instant),
  /** Excludes items that match any of these filters; each label and assignee counts separately. */
  not: v.optional(v.strictObject(matchingInput)),
}

/** Input of lists, in addition to the filters that counts have. */
export const issuableListInput = {
  ...pagingEntries,
  ...issuableFilterInput,
  ...milestoneIdInput,
  /** Direction of the order; items without a value are last in both. Default: `desc`, newest first. */
  sort: v.optional(Sort, 'desc'),
  /** Whether to add the colors and descriptions of the labels. Over HTTP, `labels` then contains objects. */
  withLabelsDetails: v.optional(v.boolean(), false),
}

/** Input of lists of a project, a group, a milestone or the instance. */
export const placeListInput = {
  /**
   * Id of a milestone of `project` or `group`, whose items are then sorted by id instead of `created_at`; or a title. `None`: no
   * milestone, `Any`: any, `#started`: active with a start day up to today, `#upcoming`: the next due one of each project or group.
   */
  milestone: v.optional(IdOrName),
  /** Whether lists of several projects omit items of archived ones. Default: true. */
  nonArchived: v.optional(v.boolean(), true),
}

/** Without `scope`, the whole instance has only items of the current user. */
export const getDefaultScope = ({ kind }: { readonly kind: string }) =>
  kind === 'instance' ? 'created_by_me' : undefined

type Parsed<E extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<E, undefined>>

/** Filters whose milestone can also be an id. */
export type WithMilestoneId<Filters> = Omit<Filters, 'milestone'> & { readonly milestone?: number | string | undefined }

export type IssuableFilters = WithMilestoneId<Parsed<typeof issuableFilterInput>>
export type IssuableListFilters = Omit<
  WithMilestoneId<Parsed<typeof issuableListInput>>,
  'page' | 'perPage' | 'sort' | 'withLabelsDetails'
>

/** A user is given by id or by username. */
const filterRules = [
  mutuallyExclusive<Omit<IssuableFilters, 'scope'>>('authorId', 'authorUsername'),
  mutuallyExclusive<Omit<IssuableFilters, 'scope'>>('assigneeId', 'assigneeUsername'),
]

export const listFilterRules = [
  ...filterRules,
  mutuallyExclusive<Omit<IssuableListFilters, 'scope'>>('milestone', 'milestoneId'),
]

/** `milestoneId` as a value that `milestone` accepts. */
export const toMilestone = ({ milestone, milestoneId }: Pick<IssuableListFilters, 'milestone' | 'milestoneId'>) => {
  const keyword = milestoneId?.toLowerCase()
  return keyword === 'upcoming' || keyword === 'started' ? `#${keyword}` : (milestoneId ?? milestone)
}
