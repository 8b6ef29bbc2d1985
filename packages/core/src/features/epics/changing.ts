import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import type { Subjects } from '../../policy.ts'
import { refuseBadTitle } from '../issuables/inputs.ts'
import { lifecycle } from '../issuables/lifecycle.ts'
import type { Epic, EpicRecord } from './epic.ts'
import { completeEpics, findEpic } from './queries.ts'

/** What is said of an epic besides its title. */
export const details = {
  description: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(1_000_000)))),
  /** Seen by its author and by reporters and above only. */
  confidential: v.optional(v.boolean()),
}

/** What can be changed about an epic. */
export const epicChange = { title: v.optional(v.string()), ...details }

const EpicChange = v.object(epicChange)

type Ref = Pick<EpicRecord, 'groupId' | 'id'>

/** Reads an epic again; closes and opens it. */
export const { reload, setState } = lifecycle<Ref, EpicRecord, Epic>({
  table: 'epic',
  ends: ['closed'],
  find: (ctx, { groupId, id }) => findEpic(ctx, groupId, id),
  complete: completeEpics,
  // Nobody listens to epics.
  tell: async () => undefined,
})

/**
 * Changes an epic that the caller may change.
 *
 * @throws PlatformError `invalid` for a title that cannot be
 */
export const changeEpic = async (
  ctx: Context,
  change: v.InferOutput<typeof EpicChange>,
  { epic }: Subjects['epic'],
): Promise<Epic> => {
  refuseBadTitle(change.title)
  await ctx.db
    .updateTable('epic')
    .set({ ...change, updatedAt: ctx.now })
    .where('id', '=', epic.id)
    .execute()
  return reload(ctx, epic)
}
