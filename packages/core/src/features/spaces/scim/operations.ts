import * as v from 'valibot'
import type { Group } from '../../../contract/namespace.ts'
import type { Context } from '../../../kernel/context.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { textUpTo } from '../../../kernel/text-limits.ts'
import { defined } from '../../../shared/defined.ts'
import { findIdentity, findIdentityByUid, type IdentityRow } from '../sso/queries.ts'
import { parseScimFilter } from './filter.ts'
import { applyPatch, deprovision, findAttributes, provision, replace } from './mutations.ts'
import { applyScimPatch, maximumOperations } from './patch.ts'
import { getScimUser, listScimUsers, maximumResults, unknownResourceError, unknownUserError } from './queries.ts'
import { scimGroup } from './subject.ts'
import { type ScimSettings, type ScimUser, scimUserSchema } from './user.ts'
import { parseScimUser } from './user-resource.ts'

/** A JSON object as the provider sent it: attribute names in any case, unknown attributes included. */
const Body = v.record(textUpTo(65_536), v.unknown())

const getLinkedIdentity = async (ctx: Context, group: Group, externalUid: string): Promise<IdentityRow> => {
  const identity = await findIdentityByUid(ctx, group.id, externalUid)
  if (identity?.unlinkedAt !== null) throw unknownUserError(externalUid)
  return identity
}

const toScimUser = async (ctx: Context, group: Group, identity: IdentityRow): Promise<ScimUser> => {
  const { externalUid: externUid, active, username, name, email } = await findAttributes(ctx, identity)
  return { externUid, active, username, name, email, groupPath: group.fullPath }
}

/** The users of a group, for its identity provider (RFC 7644). `user` is the external UID, `group` the full path. */
export const scim = {
  /** Lists the linked users of the group, in the order of their first link, optionally filtered. */
  list: query({
    on: scimGroup,
    can: 'scim.provision',
    input: {
      /**
       * A condition on `id`, `externalId`, `userName` or `emails.value`, compared without case: `userName eq "ann"`.
       * Default: all users.
       */
      filter: v.optional(v.string()),
      /** Position of the first returned user, from 1; values below 1 count as 1. */
      startIndex: v.optional(Id),
      /** Number of users to return, at most 100. Default: 20. 0 and negative values return only the total. */
      count: v.optional(Id),
    },
    run: (ctx, { filter, ...page }, { group }) =>
      listScimUsers(ctx, group, filter === undefined ? undefined : parseScimFilter(filter), page),
  }),

  /** Gets a linked user of the group. Fails with `not_found` for an unlinked one. */
  get: query({
    on: scimGroup,
    can: 'scim.provision',
    input: {
      /** The external UID: the provider's id of the user. */
      user: v.string(),
    },
    run: (ctx, { user }, { group }) => getScimUser(ctx, group, user),
  }),

  /**
   * Creates a user and makes them a guest of the group. For a user who is linked already it only restores a missing
   * membership; a deactivated user is linked again. Fails with `conflict` if another user has the e-mail address.
   */
  create: command({
    on: scimGroup,
    can: 'scim.provision',
    serializes: 'instance',
    input: {
      /**
       * A user resource (RFC 7643 section 4.1), with `externalId`, `userName`, `emails` and `name`. Attribute names may
       * have any case.
       */
      resource: Body,
    },
    run: async (ctx, { resource }, { group }) =>
      toScimUser(ctx, group, await provision(ctx, group, parseScimUser(resource))),
  }),

  /**
   * Replaces a linked user by a user resource (RFC 7644 section 3.5.1). Without `externalId` the external UID stays. The
   * profile of a user that the group did not provision is read-only and stays as it is. `active: false` unlinks the user
   * and ends the membership.
   */
  replace: command({
    on: scimGroup,
    can: 'scim.provision',
    serializes: 'instance',
    input: {
      /** The external UID: the provider's id of the user. */
      user: v.string(),
      /** The new user resource (RFC 7643 section 4.1). */
      resource: Body,
    },
    async run(ctx, { user, resource }, { group }) {
      const identity = await getLinkedIdentity(ctx, group, user)
      await replace(ctx, group, identity, parseScimUser(resource, identity.externUid))
      return toScimUser(ctx, group, defined(await findIdentity(ctx, group.id, identity.userId)))
    },
  }),

  /**
   * Changes a linked user (RFC 7644 section 3.5.2): all operations of the request apply, or none. The profile of a user
   * that the group did not provision is read-only. `active: false` unlinks the user and ends the membership.
   */
  patch: command({
    on: scimGroup,
    can: 'scim.provision',
    serializes: 'instance',
    input: {
      /** The external UID: the provider's id of the user. */
      user: v.string(),
      /** The body of the PATCH request, with its `Operations`. */
      request: Body,
    },
    async run(ctx, { user, request }, { group }) {
      const identity = await getLinkedIdentity(ctx, group, user)
      await applyPatch(ctx, group, identity, applyScimPatch(await findAttributes(ctx, identity), request))
    },
  }),

  /** Unlinks a user and ends the membership, except that of the last owner of the group. The account stays. */
  remove: command({
    on: scimGroup,
    can: 'scim.provision',
    serializes: 'instance',
    input: {
      /** The external UID: the provider's id of the user. */
      user: v.string(),
    },
    async run(ctx, { user }, { group }) {
      await deprovision(ctx, group, await getLinkedIdentity(ctx, group, user))
    },
  }),

  /**
   * Gets the limits of the SCIM API, for its discovery. Fails with `not_found` for a resource type or a schema that does not
   * exist.
   */
  getSettings: query({
    on: scimGroup,
    can: 'scim.provision',
    input: {
      /** Name of a resource type; only `User` exists. */
      resourceType: v.optional(v.string()),
      /** URN of a schema, ignoring case; only the user schema `urn:ietf:params:scim:schemas:core:2.0:User` exists. */
      schema: v.optional(v.string()),
    },
    async run(_ctx, { resourceType = 'User', schema = scimUserSchema }, { group }): Promise<ScimSettings> {
      if (resourceType !== 'User') throw unknownResourceError('ResourceType', resourceType)
      if (schema.toLowerCase() !== scimUserSchema.toLowerCase()) throw unknownResourceError('Schema', schema)
      return { groupPath: group.fullPath, maximumResults, maximumOperations }
    },
  }),
}
