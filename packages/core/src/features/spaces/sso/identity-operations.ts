import * as v from 'valibot'
import { group } from '../../../access/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { exactlyOne, IdOrName } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { findUser } from '../../accounts/users/queries.ts'
import type { ScimIdentity } from './identity.ts'
import {
  assertUidAvailable,
  findIdentity,
  findIdentityByUid,
  type IdentityRow,
  linkIdentity,
  requireProvider,
  selectIdentities,
  toIdentity,
  unlinkIdentity,
} from './queries.ts'

const maxUidLength = 255

const parseExternalUid = (externalUid: string): string => {
  const plain = externalUid.trim()
  if (plain === '') throw invalid({ externalUid: ["can't be blank"] })
  if (plain.length > maxUidLength) throw invalid({ externalUid: ['is invalid'] })
  return plain
}

const uidInput = {
  /** The provider's id of the user, ignoring case. */
  externalUid: v.string(),
}

const getIdentityByUid = async (ctx: Context, groupId: number, externalUid: string): Promise<IdentityRow> => {
  const identity = await findIdentityByUid(ctx, groupId, externalUid)
  if (!identity) throw notFound()
  return identity
}

/** Who the provider of a group knows. */
export const identityOperations = {
  /** Lists the identities of a group by id. Those of users whom the provider has removed are not active. */
  listIdentities: query({
    on: group,
    can: 'sso.readIdentities',
    input: {
      /** Only identities of linked users. */
      active: v.optional(v.literal(true)),
      ...pagingEntries,
    },
    run(ctx, { active, ...paging }, { group }) {
      const rows = selectIdentities(ctx, group.id).orderBy('id')
      return paginate(active ? rows.where('unlinkedAt', 'is', null) : rows, paging, toIdentity)
    },
  }),

  /** Gets an identity: the linked one with this id, else the one unlinked last. */
  getIdentity: query({
    on: group,
    can: 'sso.readIdentities',
    input: uidInput,
    run: async (ctx, { externalUid }, { group }) => toIdentity(await getIdentityByUid(ctx, group.id, externalUid)),
  }),

  /** Changes the provider's id of a user. Fails with `conflict` if another user of the group is linked with it. */
  updateIdentity: command({
    on: group,
    can: 'sso.manage',
    serializes: 'instance',
    input: {
      ...uidInput,
      /** The new id, 1 to 255 characters. */
      newExternalUid: v.string(),
    },
    async run(ctx, { externalUid, newExternalUid }, { group }): Promise<ScimIdentity> {
      const identity = await getIdentityByUid(ctx, group.id, externalUid)
      const changed = { ...identity, externUid: parseExternalUid(newExternalUid) }
      await assertUidAvailable(ctx, changed)
      const { id, externUid } = changed
      await ctx.db.updateTable('scimIdentity').set({ externUid }).where('id', '=', id).execute()
      return toIdentity(changed)
    },
  }),

  /**
   * Links an existing user to the provider of a group. The provider can end the link and the membership, but manages
   * the profile only of `provisioned` users.
   */
  linkIdentity: command({
    on: group,
    can: 'sso.manage',
    serializes: 'instance',
    input: {
      /** Id or username of the user. */
      user: IdOrName,
      /** The provider's id of the user, 1 to 255 characters; unique in the group, ignoring case. */
      externalUid: v.string(),
      /** Whether the provider manages the profile of the user. Ignored when the user is linked again. */
      provisioned: v.optional(v.boolean(), false),
    },
    async run(ctx, { user, externalUid, provisioned }, { group }): Promise<ScimIdentity> {
      await requireProvider(ctx, group.id)
      const { id: userId } = await findUser(ctx, user)
      return toIdentity(
        await linkIdentity(ctx, { groupId: group.id, userId, externUid: parseExternalUid(externalUid), provisioned }),
      )
    },
  }),

  /** Unlinks a user; the membership stays. Fails with `not_found` if the user is not linked. */
  unlinkIdentity: command({
    on: group,
    can: 'sso.unlinkIdentity',
    serializes: 'instance',
    input: {
      /** Id or username of the user. Exactly one of `user` and `externalUid` is required. */
      user: v.optional(IdOrName),
      /** The provider's id of the user, ignoring case. */
      externalUid: v.optional(v.string()),
    },
    rules: [exactlyOne('user', 'externalUid')],
    async run(ctx, { user, externalUid = '' }, { group }) {
      const identity =
        user === undefined
          ? await findIdentityByUid(ctx, group.id, externalUid)
          : await findIdentity(ctx, group.id, (await findUser(ctx, user)).id)
      if (identity?.unlinkedAt !== null) throw notFound()
      await unlinkIdentity(ctx, identity)
    },
  }),
}
