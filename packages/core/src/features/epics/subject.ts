import { group } from '../../access/subjects.ts'
import { PlatformError } from '../../kernel/errors.ts'
import { Id } from '../../kernel/inputs.ts'
import { within } from '../../policy/compose-subjects.ts'
import { findEpic } from './queries.ts'

const epicEntries = {
  /** Id, not iid, of the epic. */
  epic: Id,
}

const nestedEpic = within(group, 'epic', epicEntries, async (ctx, { group, access }, reference) => {
  const record = await findEpic(ctx, group.id, reference.epic)
  return record && { kind: 'epic', group, access, epic: record }
})

/** An epic, by its group and id. Requires the paid tier. */
export const epic: typeof nestedEpic = {
  ...nestedEpic,
  async load(ctx, reference) {
    // Operations on several kinds of subjects, such as notes, declare no tier, so the tier is checked here.
    if (ctx.tier === 'free') throw new PlatformError('not_licensed', 'This operation requires the paid tier')
    return nestedEpic.load(ctx, reference)
  },
}
