import * as v from 'valibot'
import { findGroup } from '../../../access/namespaces.ts'
import type { Group } from '../../../contract/namespace.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound, PlatformError } from '../../../kernel/errors.ts'
import type { SubjectLoader } from '../../../kernel/operation.ts'
import { findProvider } from '../sso/queries.ts'

/** Always a full path, even if it has digits only: identity providers have no group ids. */
const entries = {
  /** Full path of the group, even if it consists of digits. */
  group: v.string(),
}

/** The token of another group counts as no token. */
const assertTokenOfGroup = ({ actor }: Context, group: Group) => {
  if (actor.kind !== 'scim' || actor.groupId === group.id) return
  throw new PlatformError('unauthenticated', 'The token belongs to another group', { reason: 'unknown' })
}

/** A group by its full path, for the SCIM API of its identity provider. */
export const scimGroup: SubjectLoader<'scimGroup', typeof entries> = {
  kinds: ['scimGroup'],
  entries,
  async load(ctx, { group: path }) {
    const group = await findGroup(ctx, path)
    if (!group) throw notFound('Group')
    assertTokenOfGroup(ctx, group)
    const provider = await findProvider(ctx, group.id)
    return { kind: 'scimGroup', group, ssoEnabled: provider?.enabled ?? false }
  },
}
