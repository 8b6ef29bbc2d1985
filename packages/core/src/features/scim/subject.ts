import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { notFound, PlatformError } from '../../kernel/errors.ts'
import type { Subject } from '../../kernel/operation.ts'
import type { Group } from '../groups/group.ts'
import { findGroup } from '../groups/queries.ts'
import { providerOf } from '../sso/queries.ts'

/** A path is a path here, also when it has digits only: identity providers know no ids. */
const entries = { group: v.string() }

/** A token of another group is as good as none. */
const refuseForeign = ({ actor }: Context, group: Group) => {
  if (actor.kind !== 'scim' || actor.groupId === group.id) return
  throw new PlatformError('unauthenticated', 'The token belongs to another group', { reason: 'unknown' })
}

/** A group by its full path, as its identity provider manages its people. */
export const scimGroup: Subject<'scimGroup', typeof entries> = {
  kinds: ['scimGroup'],
  entries,
  async load(ctx, { group: path }) {
    const group = await findGroup(ctx, path)
    if (!group) throw notFound('Group')
    refuseForeign(ctx, group)
    const provider = await providerOf(ctx, group.id)
    return { kind: 'scimGroup', group, ssoEnabled: provider?.enabled ?? false }
  },
}
