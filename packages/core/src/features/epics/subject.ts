import { group } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { PlatformError } from '../../kernel/errors.ts'
import { Id } from '../../kernel/inputs.ts'
import { within } from '../../policy/compose-subjects.ts'
import { findEpic, findEpicByIid } from './queries.ts'

const epicEntries = {
  /** Id, not iid, of the epic. */
  epic: Id,
}

const nestedEpic = within(group, 'epic', epicEntries, async (ctx, { group, access }, reference) => {
  const record = await findEpic(ctx, group.id, reference.epic)
  return record && { kind: 'epic', group, access, epic: record }
})

const nestedEpicByIid = within(
  group,
  'epic',
  {
    /** Number (iid) of the epic in its group. */
    epicIid: Id,
  },
  async (ctx, { group, access }, reference) => {
    const record = await findEpicByIid(ctx, group.id, reference.epicIid)
    return record && { kind: 'epic', group, access, epic: record }
  },
)

/** Operations on several kinds of subjects, such as notes, declare no tier, so the tier is checked here. */
const assertPaidTier = ({ tier }: Context): void => {
  if (tier === 'free') throw new PlatformError('not_licensed', 'This operation requires the paid tier')
}

/** An epic, by its group and id. Requires the paid tier. */
export const epic: typeof nestedEpic = {
  ...nestedEpic,
  async load(ctx, reference) {
    assertPaidTier(ctx)
    return nestedEpic.load(ctx, reference)
  },
}

/** An epic, by its group and iid. Requires the paid tier. */
export const epicByIid: typeof nestedEpicByIid = {
  ...nestedEpicByIid,
  async load(ctx, reference) {
    assertPaidTier(ctx)
    return nestedEpicByIid.load(ctx, reference)
  },
}
