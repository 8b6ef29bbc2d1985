import * as v from 'valibot'
import { container } from '../../access/subjects.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { atLeastOne, DateOnly, Id } from '../../kernel/inputs.ts'
import { nextInternalId } from '../../kernel/internal-id.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { ownerOf } from '../members/queries.ts'
import type { Milestone } from './milestone.ts'
import { milestonesOf } from './queries.ts'

const details = {
  description: v.optional(v.nullable(v.string())),
  startDate: v.optional(v.nullable(DateOnly)),
  dueDate: v.optional(v.nullable(DateOnly)),
}

export const milestones = {
  /** Milestones of a project or a group itself, newest first. */
  list: query({
    on: container,
    can: 'milestone.read',
    input: { ...paging, state: v.optional(v.picklist(['active', 'closed'])), title: v.optional(v.string()) },
    run(ctx, { state, title, ...at }, subject) {
      let rows = milestonesOf(ctx, subject)
      if (state !== undefined) rows = rows.where('state', '=', state)
      if (title !== undefined) rows = rows.where('title', '=', title)
      return paginate(rows, at, (row): Milestone => row)
    },
  }),

  /** Adds a milestone. Its title must be new in the project or group. */
  create: command({
    on: container,
    can: 'milestone.manage',
    input: { title: v.string(), ...details },
    async run(ctx, { title, description = null, startDate = null, dueDate = null }, subject) {
      if (title.trim() === '') throw invalid({ title: ["can't be blank"] })
      const rows = milestonesOf(ctx, subject)
      if (await rows.where('title', '=', title).executeTakeFirst()) {
        throw invalid({ title: ['already being used for another milestone.'] })
      }
      const owner = ownerOf(subject)
      const kind = owner.projectId === null ? 'groupMilestone' : 'milestone'
      const iid = await nextInternalId(ctx, kind, (owner.projectId ?? owner.groupId) as number)
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
        })
        .execute()
      const milestone: Milestone = await rows.where('iid', '=', iid).executeTakeFirstOrThrow()
      await ctx.emit('milestone.opened', { milestone })
      return milestone
    },
  }),

  /** Changes, closes (`state: 'closed'`) or opens (`state: 'active'`) a milestone, named by its iid. */
  update: command({
    on: container,
    can: 'milestone.manage',
    input: {
      milestone: Id,
      title: v.optional(v.string()),
      state: v.optional(v.picklist(['active', 'closed'])),
      ...details,
    },
    rules: [atLeastOne('title', 'state', 'description', 'startDate', 'dueDate')],
    async run(ctx, { milestone, ...change }, subject) {
      const one = milestonesOf(ctx, subject).where('iid', '=', milestone)
      const found = await one.executeTakeFirst()
      if (!found) throw notFound('Milestone')
      if (change.title?.trim() === '') throw invalid({ title: ["can't be blank"] })
      await ctx.db
        .updateTable('milestone')
        .set({ ...change, updatedAt: ctx.now })
        .where('id', '=', found.id)
        .execute()
      const changed: Milestone = await one.executeTakeFirstOrThrow()
      if (changed.state !== found.state) {
        await ctx.emit(changed.state === 'closed' ? 'milestone.closed' : 'milestone.reopened', { milestone: changed })
      }
      return changed
    },
  }),
}
