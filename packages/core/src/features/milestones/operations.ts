import * as v from 'valibot'
import { container } from '../../access/subjects.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { atLeastOne, DateOnly, Id, InternalId } from '../../kernel/inputs.ts'
import { assignInternalId } from '../../kernel/internal-id.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { containerKey } from '../members/queries.ts'
import type { Milestone } from './milestone.ts'
import { milestonesOf } from './queries.ts'

const detailsInput = {
  /** Text in Markdown; null for none. */
  description: v.optional(v.nullable(v.string())),
  /** First day, such as `2026-11-21`; null for none. It may be later than `dueDate`. */
  startDate: v.optional(v.nullable(DateOnly)),
  /** Last day, such as `2026-11-28`; null for none. */
  dueDate: v.optional(v.nullable(DateOnly)),
}

export const milestones = {
  /** Milestones of a project or a group, without those of its ancestors, newest first. */
  list: query({
    on: container,
    can: 'milestone.read',
    input: {
      ...pagingEntries,
      /** Only milestones in this state. Default: both. */
      state: v.optional(v.picklist(['active', 'closed'])),
      /** Only the milestone with exactly this title. */
      title: v.optional(v.string()),
    },
    run(ctx, { state, title, ...paging }, subject) {
      let rows = milestonesOf(ctx, subject)
      if (state !== undefined) rows = rows.where('state', '=', state)
      if (title !== undefined) rows = rows.where('title', '=', title)
      return paginate(rows, paging, (row): Milestone => row)
    },
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
       * Number of the milestone in its project or group, greater than all earlier ones. Default: the next one. For the
       * host application only; `forbidden` for users.
       */
      iid: v.optional(InternalId),
      ...detailsInput,
    },
    async run(ctx, { title, description = null, startDate = null, dueDate = null, ...input }, subject) {
      if (title.trim() === '') throw invalid({ title: ["can't be blank"] })
      const rows = milestonesOf(ctx, subject)
      if (await rows.where('title', '=', title).executeTakeFirst()) {
        throw invalid({ title: ['already being used for another milestone.'] })
      }
      const owner = containerKey(subject)
      const kind = owner.projectId === null ? 'groupMilestone' : 'milestone'
      const iid = await assignInternalId(ctx, kind, (owner.projectId ?? owner.groupId) as number, input.iid)
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
      const milestone: Milestone = await rows.where('iid', '=', iid).executeTakeFirstOrThrow()
      await ctx.emit('milestone.opened', { milestone })
      return milestone
    },
  }),

  /**
   * Updates, closes (`state: 'closed'`) or reopens (`state: 'active'`) a milestone, by its iid. At least one change is
   * required.
   */
  update: command({
    on: container,
    can: 'milestone.manage',
    serializes: 'project',
    input: {
      /** Number of the milestone within its project or group (the iid). */
      milestone: Id,
      /** New title, not blank. Unlike in `create`, it is not compared with other titles. */
      title: v.optional(v.string()),
      /** `closed` closes the milestone, `active` reopens it. */
      state: v.optional(v.picklist(['active', 'closed'])),
      ...detailsInput,
    },
    rules: [atLeastOne('title', 'state', 'description', 'startDate', 'dueDate')],
    async run(ctx, { milestone, ...change }, subject) {
      const selected = milestonesOf(ctx, subject).where('iid', '=', milestone)
      const before = await selected.executeTakeFirst()
      if (!before) throw notFound('Milestone')
      if (change.title?.trim() === '') throw invalid({ title: ["can't be blank"] })
      await ctx.db
        .updateTable('milestone')
        .set({ ...change, updatedAt: ctx.now })
        .where('id', '=', before.id)
        .execute()
      const after: Milestone = await selected.executeTakeFirstOrThrow()
      if (after.state !== before.state) {
        await ctx.emit(after.state === 'closed' ? 'milestone.closed' : 'milestone.reopened', { milestone: after })
      }
      return after
    },
  }),
}
