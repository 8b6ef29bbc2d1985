import * as v from 'valibot'
import type { Subjects } from '../../contract/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { createLifecycle } from '../issuables/lifecycle.ts'
import { assertValidTitle } from '../issuables/triage.ts'
import type { Epic, EpicRecord } from './epic.ts'
import { completeEpics, findEpic } from './queries.ts'

/** The optional fields of an epic. */
export const detailsInput = {
  /** Markdown, at most 1,000,000 characters; null for none. */
  description: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(1_000_000)))),
  /** Whether only the author and reporters and above can read the epic. Default for a new epic: false. */
  confidential: v.optional(v.boolean()),
}

export const epicUpdateInput = {
  /** Not blank, at most 255 characters. */
  title: v.optional(v.string()),
  ...detailsInput,
}

const EpicUpdate = v.object(epicUpdateInput)

type Ref = Pick<EpicRecord, 'groupId' | 'id'>

export const { reload, setState } = createLifecycle<Ref, EpicRecord, Epic>({
  table: 'epic',
  recordedStates: ['closed'],
  find: (ctx, { groupId, id }) => findEpic(ctx, groupId, id),
  complete: completeEpics,
  // Epics have no signals.
  notify: async () => undefined,
})

/**
 * Updates an epic. The caller must be permitted to update it.
 *
 * @throws PlatformError `invalid` for an invalid title
 */
export const updateEpic = async (
  ctx: Context,
  change: v.InferOutput<typeof EpicUpdate>,
  { epic }: Subjects['epic'],
): Promise<Epic> => {
  assertValidTitle(change.title)
  await ctx.db
    .updateTable('epic')
    .set({ ...change, updatedAt: ctx.now })
    .where('id', '=', epic.id)
    .execute()
  return reload(ctx, epic)
}
