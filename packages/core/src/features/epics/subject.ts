import { group } from '../../access/subjects.ts'
import { notFound, PlatformError } from '../../kernel/errors.ts'
import { Id, Reference } from '../../kernel/inputs.ts'
import type { Subject } from '../../kernel/operation.ts'
import type { Subjects } from '../../policy.ts'
import { visible } from '../../policy.ts'
import { findEpic } from './queries.ts'

const entries = { group: Reference, epic: Id }

/** An epic, by its group and its id. A platform without the paid tier has none, whichever is asked for. */
export const epic: Subject<'epic', typeof entries> = {
  kinds: ['epic'],
  entries,
  async load(ctx, ref): Promise<Subjects['epic']> {
    // Operations on several kinds of things are not paid as a whole: what they find may be.
    if (ctx.tier === 'free') throw new PlatformError('not_licensed', 'This needs a licensed tier')
    const place = await group.load(ctx, ref)
    // An invisible group is missed as a group, before its epics are looked at.
    if (!visible.group.holds(ctx.actor, place)) throw notFound('Group')
    const record = await findEpic(ctx, place.group.id, ref.epic)
    if (!record) throw notFound()
    return { kind: 'epic', group: place.group, access: place.access, epic: record }
  },
}
