import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { Id } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { findUser } from '../accounts/queries.ts'
import type { Group } from '../groups/group.ts'
import { type IdentityRow, identityByUid } from '../sso/queries.ts'
import { readScimFilter } from './filter.ts'
import { maximumOperations, readScimPatch } from './patch.ts'
import { change, deprovision, provision } from './provisioning.ts'
import { maximumResults, scimUser, scimUsers, unknownResource, unknownUser } from './queries.ts'
import { readScimUser } from './resource.ts'
import { scimGroup } from './subject.ts'
import { type ScimSettings, type ScimUser, scimUserSchema } from './user.ts'

/** A JSON object as the provider sent it: its attributes have names of any case, and most of them mean nothing here. */
const Body = v.record(v.string(), v.unknown())

const linked = async (ctx: Context, group: Group, externalUid: string): Promise<IdentityRow> => {
  const found = await identityByUid(ctx, group.id, externalUid)
  if (found?.unlinkedAt !== null) throw unknownUser(externalUid)
  return found
}

const settingsOf = ({ fullPath }: Group): ScimSettings => ({
  groupPath: fullPath,
  maximumResults,
  maximumOperations,
})

/** The users of a group, for its identity provider (RFC 7644). `user` is the external UID, `group` the full path. */
export const scim = {
  /**
   * The users of the group, or the one that a filter such as `userName eq "ann"` describes. `count` is 20 unless it is
   * given and positive, and at most 100; a `startIndex` below 1 is 1.
   */
  list: query({
    on: scimGroup,
    can: 'scim.provision',
    input: { filter: v.optional(v.string()), startIndex: v.optional(Id), count: v.optional(Id) },
    run: (ctx, { filter, ...page }, { group }) =>
      scimUsers(ctx, group, filter === undefined ? undefined : readScimFilter(filter), page),
  }),

  /** One user. */
  get: query({
    on: scimGroup,
    can: 'scim.provision',
    input: { user: v.string() },
    run: (ctx, { user }, { group }) => scimUser(ctx, group, user),
  }),

  /**
   * Makes somebody a user of the platform and a guest of the group. `resource` is the user as RFC 7643 section 4.1 writes
   * it. Asking again changes nothing; somebody who was deactivated is linked again.
   */
  create: command({
    on: scimGroup,
    can: 'scim.provision',
    input: { resource: Body },
    async run(ctx, { resource }, { group }): Promise<ScimUser> {
      const { userId, externUid, unlinkedAt } = await provision(ctx, group, readScimUser(resource))
      const { username, name, email } = await findUser(ctx, userId)
      return { externUid, active: unlinkedAt === null, username, name, email, groupPath: group.fullPath }
    },
  }),

  /**
   * Changes a user. `request` is the body of a PATCH (RFC 7644 section 3.5.2). `active: false` ends the link and the
   * membership and goes before everything else; another external UID goes before the profile, which changes only for
   * users whom this group has provisioned.
   */
  patch: command({
    on: scimGroup,
    can: 'scim.provision',
    input: { user: v.string(), request: Body },
    async run(ctx, { user, request }, { group }) {
      const identity = await linked(ctx, group, user)
      await change(ctx, group, identity, readScimPatch(request))
    },
  }),

  /** Ends the link and the membership of a user, unless that is the last owner of the group. The account stays. */
  remove: command({
    on: scimGroup,
    can: 'scim.provision',
    input: { user: v.string() },
    async run(ctx, { user }, { group }) {
      await deprovision(ctx, group, await linked(ctx, group, user))
    },
  }),

  /** What the provider of the group can rely on. */
  settings: query({
    on: scimGroup,
    can: 'scim.provision',
    run: async (_ctx, _input, { group }) => settingsOf(group),
  }),

  /** The same, where the kind of resource that is named exists: the only one is `User`. */
  resourceType: query({
    on: scimGroup,
    can: 'scim.provision',
    input: { resourceType: v.string() },
    async run(_ctx, { resourceType }, { group }) {
      if (resourceType !== 'User') throw unknownResource('ResourceType', resourceType)
      return settingsOf(group)
    },
  }),

  /** The same, where the schema that is named exists: the only one is the user's, whose URN has no case (RFC 8141). */
  schema: query({
    on: scimGroup,
    can: 'scim.provision',
    input: { schema: v.string() },
    async run(_ctx, { schema }, { group }) {
      if (schema.toLowerCase() !== scimUserSchema.toLowerCase()) throw unknownResource('Schema', schema)
      return settingsOf(group)
    },
  }),
}
