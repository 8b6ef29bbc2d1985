import * as v from 'valibot'
import { container, project } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { matchesSearch } from '../../../db/functions.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import {
  allOrNone,
  atLeastOne,
  DateOnly,
  exactlyOne,
  Id,
  Instant,
  InternalId,
  mutuallyExclusive,
  normalizeInstant,
} from '../../../kernel/inputs.ts'
import { assignInternalId } from '../../../kernel/internal-id.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { parseSearchText } from '../../../kernel/search-text.ts'
import { LongText } from '../../../kernel/text-limits.ts'
import { defined } from '../../../shared/defined.ts'
import { containerKey } from '../../spaces/members/queries.ts'
import type { Milestone, MilestoneRecord } from './milestone.ts'
import { promoteMilestone } from './promote.ts'
import {
  completeMilestone,
  completeMilestones,
  isWithin,
  milestoneColumns,
  milestonesBelow,
  milestonesOf,
} from './queries.ts'

type Container = Subjects['project'] | Subjects['group']

const detailsInput = {
  /** Text in Markdown; null for none. */
  description: v.optional(v.nullable(LongText)),
  /** First day, such as `2026-11-21`; null for none. It may be later than `dueDate`. */
  startDate: v.optional(v.nullable(DateOnly)),
  /** Last day, such as `2026-11-28`; null for none. */
  dueDate: v.optional(v.nullable(DateOnly)),
}

const milestoneInput = {
  /** Id of the milestone on the instance. Exactly one of `milestoneId` and `milestone` is required. */
  milestoneId: v.optional(Id),
  /** Number of the milestone within its project or group (the iid). */
  milestone: v.optional(Id),
}

interface MilestoneReference {
  readonly milestoneId?: number | undefined
  readonly milestone?: number | undefined
}

const exactlyOneMilestone = exactlyOne<MilestoneReference>('milestoneId', 'milestone')

/** A milestone of the project or group itself. */
const getMilestone = async (
  ctx: Context,
  subject: Container,
  { milestoneId, milestone }: MilestoneReference,
): Promise<MilestoneRecord> => {
  const rows = milestonesOf(ctx, subject)
  const row = await (milestoneId === undefined
    ? rows.where('milestone.iid', '=', defined(milestone))
    : rows.where('milestone.id', '=', milestoneId)
  ).executeTakeFirst()
  if (!row) throw notFound('Milestone')
  return row
}

const assertValidTitle = async (ctx: Context, subject: Container, title: string, ownId?: number): Promise<void> => {
  if (title.trim() === '') throw invalid({ title: ["can't be blank"] })
  const existing = await milestonesOf(ctx, subject).where('milestone.title', '=', title).executeTakeFirst()
  if (existing && existing.id !== ownId) throw invalid({ title: ['already being used for another milestone.'] })
}

const listInput = {
  ...pagingEntries,
  /** Only milestones in this state. Default: both. */
  state: v.optional(v.picklist(['active', 'closed'])),
  /** Only the milestone with exactly this title. */
  title: v.optional(v.string()),
  /** Words that the title or the description contains, in any order; at most 1,024 characters and 64 words. */
  search: v.optional(v.string(), ''),
  /** Only milestones with these numbers, at most 1,000; without those of ancestors. An empty list is ignored. */
  iids: v.optional(v.pipe(v.array(Id), v.maxLength(1_000))),
  /** Only milestones changed at or after this time; ISO 8601, UTC without an offset. */
  updatedAfter: v.optional(Instant),
  /** Only milestones last changed at or before this time; ISO 8601, UTC without an offset. */
  updatedBefore: v.optional(Instant),
  /** Whether to include milestones of the groups above. Default: false. */
  includeAncestors: v.optional(v.boolean(), false),
  /** Whether to include milestones of the subgroups of a group and of the projects below it. Default: false. */
  includeDescendants: v.optional(v.boolean(), false),
  /** Words that the title contains, in any order; at most 1,024 characters and 64 words. */
  searchTitle: v.optional(v.string(), ''),
  /** Only milestones that this day is part of: neither before the first day nor after the last, if they have them. */
  containingDate: v.optional(DateOnly),
  /** First day of a period: only milestones with a day in the period, which requires `endDate`. */
  startDate: v.optional(DateOnly),
  /** Last day of the period that `startDate` begins. Required with it. */
  endDate: v.optional(DateOnly),
}

const listRules = [
  allOrNone<{ startDate?: string | undefined; endDate?: string | undefined }>('startDate', 'endDate'),
  mutuallyExclusive<{ containingDate?: string | undefined; startDate?: string | undefined }>(
    'containingDate',
    'startDate',
  ),
]

export const milestones = {
  /** Lists milestones of a project or a group, newest first. */
  list: query({
    on: container,
    can: 'milestone.read',
    input: listInput,
    rules: listRules,
    async run(
      ctx,
      { state, title, search, searchTitle, iids, updatedAfter, updatedBefore, includeAncestors, ...filters },
      subject,
    ): Promise<Page<Milestone>> {
      const { containingDate, startDate = containingDate, endDate = containingDate, ...paging } = filters
      let rows = filters.includeDescendants
        ? await milestonesBelow(ctx, subject, includeAncestors && !iids?.length)
        : milestonesOf(ctx, subject, includeAncestors && !iids?.length)
      if (state !== undefined) rows = rows.where('milestone.state', '=', state)
      if (title !== undefined) rows = rows.where('milestone.title', '=', title)
      if (updatedAfter !== undefined) rows = rows.where('milestone.updatedAt', '>=', normalizeInstant(updatedAfter))
      if (updatedBefore !== undefined) rows = rows.where('milestone.updatedAt', '<=', normalizeInstant(updatedBefore))
      if (iids?.length) rows = rows.where('milestone.iid', 'in', iids)
      if (startDate !== undefined && endDate !== undefined) rows = rows.where(isWithin(startDate, endDate))
      const found = matchesSearch(ctx.dialect, ['milestone.title', 'milestone.description'], parseSearchText(search))
      if (found) rows = rows.where(found)
      const titled = matchesSearch(ctx.dialect, ['milestone.title'], parseSearchText(searchTitle, 'searchTitle'))
      const page = await paginate(titled ? rows.where(titled) : rows, paging, (row): MilestoneRecord => row)
      return { ...page, items: await completeMilestones(ctx, page.items) }
    },
  }),

  /** Gets a milestone of a project or a group. */
  get: query({
    on: container,
    can: 'milestone.read',
    input: milestoneInput,
    rules: [exactlyOneMilestone],
    run: async (ctx, reference, subject) => completeMilestone(ctx, await getMilestone(ctx, subject, reference)),
  }),

  /** Creates a milestone. The title must be unique in the project or group. */
  create: command({
    on: container,
    can: 'milestone.manage',
    serializes: 'project',
    input: {
      /** Not blank; unique among the milestones of the project or group. */
      title: v.string(),
      /**
       * Number of the milestone in its project or group, greater than all earlier ones. Default: the next one. For the host
       * application only; `forbidden` for users.
       */
      iid: v.optional(InternalId),
      ...detailsInput,
    },
    async run(ctx, { title, description = null, startDate = null, dueDate = null, ...input }, subject) {
      await assertValidTitle(ctx, subject, title)
      const owner = containerKey(subject)
      const kind = owner.projectId === null ? 'groupMilestone' : 'milestone'
      const iid = await assignInternalId(ctx, kind, owner.projectId ?? owner.groupId, input.iid)
      await ctx.db
        .insertInto('milestone')
        .values({
          ...owner,
          iid,
          title,
          description,
          state: 'active',
          startDate,
          dueDate,
          createdAt: ctx.now,
          updatedAt: ctx.now,
        } satisfies CompleteRow<'milestone'>)
        .execute()
      const milestone = await completeMilestone(ctx, await getMilestone(ctx, subject, { milestone: iid }))
      await ctx.emit('milestone.opened', { milestone })
      return milestone
    },
  }),

  /**
   * Updates, closes (`state: 'closed'`) or reopens (`state: 'active'`) a milestone. At least one change is required.
   *
   * @throws PlatformError `invalid` for a blank title or one that another milestone of the project or group has
   */
  update: command({
    on: container,
    can: 'milestone.manage',
    serializes: 'project',
    input: {
      ...milestoneInput,
      /** New title, not blank; unique among the milestones of the project or group. */
      title: v.optional(v.string()),
      /** `closed` closes the milestone, `active` reopens it. Cannot be combined with `stateEvent`. */
      state: v.optional(v.picklist(['active', 'closed'])),
      /** `close` or `activate` the milestone. Cannot be combined with `state`. */
      stateEvent: v.optional(v.picklist(['close', 'activate'])),
      ...detailsInput,
    },
    rules: [
      exactlyOneMilestone,
      atLeastOne('title', 'state', 'stateEvent', 'description', 'startDate', 'dueDate'),
      mutuallyExclusive('state', 'stateEvent'),
    ],
    async run(ctx, { milestone, milestoneId, stateEvent, ...fields }, subject) {
      const before = await getMilestone(ctx, subject, { milestone, milestoneId })
      if (fields.title !== undefined) await assertValidTitle(ctx, subject, fields.title, before.id)
      const change = stateEvent
        ? { ...fields, state: stateEvent === 'close' ? ('closed' as const) : ('active' as const) }
        : fields
      await updateChanged(ctx, 'milestone', before.id, change)
      const after = await completeMilestone(ctx, await getMilestone(ctx, subject, { milestoneId: before.id }))
      if (after.state !== before.state) {
        await ctx.emit(after.state === 'closed' ? 'milestone.closed' : 'milestone.reopened', { milestone: after })
      }
      return after
    },
  }),

  /** Removes a milestone. Its issues and merge requests have none afterwards. */
  remove: command({
    on: container,
    can: 'milestone.manage',
    input: milestoneInput,
    rules: [exactlyOneMilestone],
    async run(ctx, reference, subject) {
      const milestone = await completeMilestone(ctx, await getMilestone(ctx, subject, reference))
      await assertRowUnmodified(ctx, 'milestone', milestone.id)
      await ctx.db.deleteFrom('milestone').where('id', '=', milestone.id).execute()
      await ctx.emit('milestone.removed', { milestone })
    },
  }),

  /**
   * Turns a milestone of a project into one of its group, together with milestones of the same title in the other projects of the
   * group and its subgroups. Requires reporter or above in the project and in its group.
   *
   * @throws PlatformError `invalid` for a project of a personal namespace
   */
  promote: command({
    on: project,
    can: 'milestone.manage',
    input: milestoneInput,
    rules: [exactlyOneMilestone],
    async run(ctx, reference, subject) {
      const id = await promoteMilestone(ctx, subject, await getMilestone(ctx, subject, reference))
      const row = await ctx.db
        .selectFrom('milestone')
        .where('id', '=', id)
        .select(milestoneColumns)
        .executeTakeFirstOrThrow()
      return completeMilestone(ctx, row)
    },
  }),
}
