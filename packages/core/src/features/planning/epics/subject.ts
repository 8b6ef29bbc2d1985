import type { ObjectEntries } from 'valibot'
import { group } from '../../../access/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { PlatformError } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { type NestedSubject, within } from '../../../policy/compose-subjects.ts'
import { findEpic, findEpicByIid } from './queries.ts'

/** Operations on several kinds of subjects, such as notes, declare no tier, so the tier is checked here. */
const assertPaidTier = ({ tier }: Context): void => {
  if (tier === 'free') throw new PlatformError('not_licensed', 'This operation requires the paid tier')
}

const whenPaid = <E extends ObjectEntries>(loader: NestedSubject<'epic', E>): NestedSubject<'epic', E> => ({
  ...loader,
  load(ctx, reference) {
    assertPaidTier(ctx)
    return loader.load(ctx, reference)
  },
})

const epicEntries = {
  /** Number of the epic within the group (`iid`). */
  epic: Id,
}

/** An epic, by its group and iid. Requires the paid tier. */
export const epic = whenPaid(
  within(group, 'epic', epicEntries, async (ctx, { group, access }, reference) => {
    const record = await findEpicByIid(ctx, group.id, reference.epic)
    return record && { kind: 'epic', group, access, epic: record }
  }),
)

const epicIdEntries = {
  /** Id, not iid, of the epic. Use `epic` for its iid. */
  epicId: Id,
}

/** The same by its id, which some routes contain instead of the iid. */
export const epicById = whenPaid(
  within(group, 'epic', epicIdEntries, async (ctx, { group, access }, reference) => {
    const record = await findEpic(ctx, group.id, reference.epicId)
    return record && { kind: 'epic', group, access, epic: record }
  }),
)
