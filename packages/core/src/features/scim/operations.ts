import * as v from 'valibot'
import type { Group } from '../../contract/namespace.ts'
import type { Context } from '../../kernel/context.ts'
import { Id } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { findIdentity, findIdentityByUid, type IdentityRow } from '../sso/queries.ts'
import { parseScimFilter } from './filter.ts'
import { applyPatch, deprovision, findAttributes, provision, replace } from './mutations.ts'
import { applyScimPatch, maximumOperations } from './patch.ts'
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

const toScimUser = async (ctx: Context, group: Group, identity: IdentityRow): Promise<ScimUser> => {
  const { externalUid: externUid, active, username, name, email } = await findAttributes(ctx, identity)
  return { externUid, active, username, name, email, groupPath: group.fullPath }
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
   * to 20; for 0 or less, only the total is returned. A `startIndex` below 1 counts as 1.
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
    serializes: 'instance',
    input: { resource: Body },
    run: async (ctx, { resource }, { group }) =>
      toScimUser(ctx, group, await provision(ctx, group, parseScimUser(resource))),
  }),

  /**
   * Replaces a linked user by a user resource (RFC 7644 section 3.5.1). Without `externalId` the external UID stays. The
   * profile of a user whom the group did not provision is read-only and stays as it is. `active: false` unlinks the user
   * and ends the membership.
   */
  replace: command({
    on: scimGroup,
    can: 'scim.provision',
    serializes: 'instance',
    input: { user: v.string(), resource: Body },
    async run(ctx, { user, resource }, { group }) {
      const identity = await getLinkedIdentity(ctx, group, user)
      await replace(ctx, group, identity, parseScimUser(resource, identity.externUid))
      return toScimUser(ctx, group, (await findIdentity(ctx, group.id, identity.userId)) as IdentityRow)
    },
  }),

  /**
   * Changes a linked user. `request` is the body of a PATCH (RFC 7644 section 3.5.2): all of its operations apply, or
   * none. The profile of a user whom the group did not provision is read-only. `active: false` unlinks the user and ends
   * the membership.
   */
  patch: command({
    on: scimGroup,
    can: 'scim.provision',
    serializes: 'instance',
    input: { user: v.string(), request: Body },
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
