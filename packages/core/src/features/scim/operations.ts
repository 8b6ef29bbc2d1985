import * as v from 'valibot'
import type { Group } from '../../contract/namespace.ts'
import type { Context } from '../../kernel/context.ts'
import { Id } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { findUser } from '../accounts/queries.ts'
import { findIdentityByUid, type IdentityRow } from '../sso/queries.ts'
import { parseScimFilter } from './filter.ts'
import { applyPatch, deprovision, provision } from './mutations.ts'
import { maximumOperations, parseScimPatch } from './patch.ts'
import { getScimUser, listScimUsers, maximumResults, unknownResourceError, unknownUserError } from './queries.ts'
import { scimGroup } from './subject.ts'
import { type ScimSettings, type ScimUser, scimUserSchema } from './user.ts'
import { parseScimUser } from './user-resource.ts'

/** A JSON object as the provider sent it: attribute names in any case, unknown attributes included. */
const Body = v.record(v.string(), v.unknown())

const getLinkedIdentity = async (ctx: Context, group: Group, externalUid: string): Promise<IdentityRow> => {
  const identity = await findIdentityByUid(ctx, group.id, externalUid)
  if (identity?.unlinkedAt !== null) throw unknownUserError(externalUid)
  return identity
}

const toScimSettings = ({ fullPath }: Group): ScimSettings => ({
  groupPath: fullPath,
  maximumResults,
  maximumOperations,
})

/** The users of a group, for its identity provider (RFC 7644). `user` is the external UID, `group` the full path. */
export const scim = {
  /**
   * The linked users of the group, optionally filtered as in `userName eq "ann"`. `count` is at most 100 and defaults
   * to 20, also when it is not positive; a `startIndex` below 1 counts as 1.
   */
  list: query({
    on: scimGroup,
    can: 'scim.provision',
    input: { filter: v.optional(v.string()), startIndex: v.optional(Id), count: v.optional(Id) },
    run: (ctx, { filter, ...page }, { group }) =>
      listScimUsers(ctx, group, filter === undefined ? undefined : parseScimFilter(filter), page),
  }),

  /** One linked user. */
  get: query({
    on: scimGroup,
    can: 'scim.provision',
    input: { user: v.string() },
    run: (ctx, { user }, { group }) => getScimUser(ctx, group, user),
  }),

  /**
   * Creates a user and makes them a guest of the group. `resource` is a user resource (RFC 7643 section 4.1). For a
   * user who is linked already it only restores a missing membership; a deactivated user is linked again.
   */
  create: command({
    on: scimGroup,
    can: 'scim.provision',
    input: { resource: Body },
    async run(ctx, { resource }, { group }): Promise<ScimUser> {
      const { userId, externUid, unlinkedAt } = await provision(ctx, group, parseScimUser(resource))
      const { username, name, email } = await findUser(ctx, userId)
      return { externUid, active: unlinkedAt === null, username, name, email, groupPath: group.fullPath }
    },
  }),

  /**
   * Changes a user. `request` is the body of a PATCH (RFC 7644 section 3.5.2). Only the first of these applies:
   * `active: false` unlinks the user and ends the membership, a different external UID replaces the current one,
   * profile fields change the profile of a user provisioned by this group.
   */
  patch: command({
    on: scimGroup,
    can: 'scim.provision',
    input: { user: v.string(), request: Body },
    async run(ctx, { user, request }, { group }) {
      const identity = await getLinkedIdentity(ctx, group, user)
      await applyPatch(ctx, group, identity, parseScimPatch(request))
    },
  }),

  /** Unlinks a user and ends the membership, except that of the last owner of the group. The account stays. */
  remove: command({
    on: scimGroup,
    can: 'scim.provision',
    input: { user: v.string() },
    async run(ctx, { user }, { group }) {
      await deprovision(ctx, group, await getLinkedIdentity(ctx, group, user))
    },
  }),

  /** Limits of the SCIM API, for its service provider configuration. */
  settings: query({
    on: scimGroup,
    can: 'scim.provision',
    run: async (_ctx, _input, { group }) => toScimSettings(group),
  }),

  /** The same, if the resource type exists; the only one is `User`. */
  resourceType: query({
    on: scimGroup,
    can: 'scim.provision',
    input: { resourceType: v.string() },
    async run(_ctx, { resourceType }, { group }) {
      if (resourceType !== 'User') throw unknownResourceError('ResourceType', resourceType)
      return toScimSettings(group)
    },
  }),

  /** The same, if the schema exists; the only one is the user schema. Its URN is compared without case (RFC 8141). */
  schema: query({
    on: scimGroup,
    can: 'scim.provision',
    input: { schema: v.string() },
    async run(_ctx, { schema }, { group }) {
      if (schema.toLowerCase() !== scimUserSchema.toLowerCase()) throw unknownResourceError('Schema', schema)
      return toScimSettings(group)
    },
  }),
}
