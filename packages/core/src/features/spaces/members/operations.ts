import * as v from 'valibot'
import { container, containerAndUser, group } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import { isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden, notFound } from '../../../kernel/errors.ts'
import { DateOnly, Id, IdOrName } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, pagingEntries } from '../../../kernel/paging.ts'
import { assertUnmodified } from '../../../kernel/precondition.ts'
import { findUser } from '../../accounts/users/queries.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { findHiddenGroups } from './hidden-groups.ts'
import type { AddedMembers, Member } from './member.ts'
import { directMemberPage, memberPage } from './member-pages.ts'
import type { Container } from './membership-rows.ts'
import {
  addMember,
  assertNotPersonalOwner,
  assertOwnerRemains,
  assertValidLevel,
  getDirectMember,
  removeMember,
} from './mutations.ts'
import {
  containerKey,
  directMembers,
  findMemberByUser,
  findNearestMember,
  getModifiedAt,
  type MemberRow,
  toMembers,
} from './queries.ts'
import { describeRejection } from './rejection.ts'
import { findSamlGroupIds, withSamlIdentities } from './saml-identity.ts'

const inheritedInput = {
  /**
   * Whether to include those who are members through a group above or a share, each once with the nearest membership.
   * Default: false.
   */
  inherited: v.optional(v.boolean(), false),
}

/**
 * A group membership that a directory synchronizes. Other memberships cannot be overridden, and group owners can override
 * only if the setting `allowGroupOwnersToManageLdap` is on.
 */
const getSyncedMember = async (ctx: Context, subject: Subjects['group'], user: number | string) => {
  if (!isAdministrator(ctx.actor) && !(await getSettings(ctx)).allowGroupOwnersToManageLdap) {
    throw forbidden('Only administrators can override members that a directory synchronizes')
  }
  const member = await getDirectMember(ctx, subject, user)
  if (member.syncedLevel === null) throw forbidden('Only members that a directory synchronizes can be overridden')
  return member
}

const presentMembers = async (ctx: Context, subject: Container, rows: readonly MemberRow[]) =>
  withSamlIdentities(ctx, subject, await toMembers(ctx, rows))

const presentMember = async (ctx: Context, subject: Container, row: MemberRow): Promise<Member> => {
  const [member] = await presentMembers(ctx, subject, [row])
  if (!member) throw notFound()
  return member
}

const setOverride = async (
  ctx: Context,
  subject: Subjects['group'],
  user: number | string,
  isOverridden: boolean,
): Promise<Member> => {
  const member = await getSyncedMember(ctx, subject, user)
  assertUnmodified(ctx, await getModifiedAt(ctx, member))
  const { memberId, id, overriddenAt } = member
  const since = overriddenAt ?? ctx.now
  await updateChanged(ctx, 'member', memberId, { overriddenAt: isOverridden ? since : null })
  return presentMember(ctx, subject, await getDirectMember(ctx, subject, id))
}

const syncedMemberInput = {
  /** Id or username of a direct member with a level that a directory synchronizes. */
  user: IdOrName,
}

export const members = {
  /**
   * Lists direct members in the order of joining or, with `inherited`, all members by user id. `query` searches names and
   * usernames and lists exact matches first.
   */
  list: query({
    on: container,
    can: 'member.read',
    input: {
      ...inheritedInput,
      /** `awaiting`: members who wait for an approval, which there are none; `active`: all others. Default: both. */
      state: v.optional(v.picklist(['awaiting', 'active'])),
      /**
       * Words that the name or the username contains, or a complete e-mail address: the current user's own, or any for
       * administrators. At most 1,024 characters and 64 words.
       */
      query: v.optional(v.string()),
      /** Ids of the users to list; an empty array lists none. Default: all members. */
      userIds: v.optional(v.array(Id)),
      /** Ids of at most 1,000 users to leave out. */
      skipUsers: v.optional(v.pipe(v.array(Id), v.maxLength(1000))),
      /** Whether to include `isUsingSeat`. Default: false. */
      showSeatInfo: v.optional(v.boolean()),
      /**
       * Only members with an identity at the SAML provider of the group or one above. Only for users who can manage the members,
       * otherwise `forbidden`. Default: false.
       */
      withSamlIdentity: v.optional(v.boolean()),
      ...pagingEntries,
    },
    async run(ctx, { inherited, state, withSamlIdentity, userIds, ...input }, subject): Promise<Page<Member>> {
      const { query, skipUsers, showSeatInfo, ...paging } = input
      const samlGroupIds = withSamlIdentity ? await findSamlGroupIds(ctx, subject) : undefined
      const filter = { query, skipUsers, showSeatInfo, samlGroupIds, userIds: state === 'awaiting' ? [] : userIds }
      const page = await (inherited ? memberPage : directMemberPage)(ctx, subject, filter, paging)
      return { ...page, items: await withSamlIdentities(ctx, subject, page.items) }
    },
  }),

  /**
   * Gets a direct member or, with `inherited`, any member. Without it, fails with `not_found` for a user who is a member
   * only through a group above or a share.
   */
  get: query({
    on: container,
    can: 'member.read',
    input: {
      /** Id or username of the member. */
      user: IdOrName,
      ...inheritedInput,
    },
    async run(ctx, { user, inherited }, subject) {
      if (!inherited) return presentMember(ctx, subject, await getDirectMember(ctx, subject, user))
      const member = await findNearestMember(ctx, subject, user, await findHiddenGroups(ctx, subject))
      if (!member) throw notFound()
      return presentMember(ctx, subject, member)
    },
  }),

  /**
   * Adds users as direct members, which also closes their access requests. With several users, `errors` contains those who
   * could not be added. With a single user, the call fails: with `conflict` if the user is a direct member already, with
   * `invalid` for the level.
   */
  add: command({
    on: container,
    can: 'member.manage',
    serializes: 'instance',
    input: {
      /** Ids or usernames of 1 to 100 users; repeated ones count once. An unknown one rejects the whole call with `not_found`. */
      users: v.pipe(v.array(IdOrName), v.minLength(1), v.maxLength(100)),
      /**
       * The level to grant: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner (groups only). Users can grant
       * at most their own level; the level must be at least the one that a new member inherits from a group above.
       */
      accessLevel: Id,
      /** The first day without access, such as `2026-11-21`; null for memberships without end. */
      expiresAt: v.optional(v.nullable(DateOnly), null),
      /** What caused the addition, at most 255 characters. Accepted because clients send it; not stored. */
      inviteSource: v.optional(v.pipe(v.string(), v.maxLength(255))),
    },
    async run(ctx, { users, inviteSource: _, ...membership }, subject): Promise<AddedMembers> {
      // Find all users before the first insert: an unknown one rejects the whole call.
      const newUsers = new Map<number, string>()
      for (const user of new Set(users)) {
        const { id, username } = await findUser(ctx, user)
        newUsers.set(id, username)
      }
      const rows: MemberRow[] = []
      const errors: Record<string, string> = {}
      for (const [id, username] of newUsers) {
        const add = async () => void rows.push(await addMember(ctx, subject, id, membership))
        const rejection = await (newUsers.size === 1 ? add() : describeRejection(add))
        if (rejection !== undefined) errors[username] = rejection
      }
      return { members: await presentMembers(ctx, subject, rows), errors }
    },
  }),

  /**
   * Changes the level of a direct member, and the expiry date if given. Fails with `forbidden` for the last owner of a
   * group, the owner of a personal project, and a level that a directory synchronizes without an override.
   */
  update: command({
    on: container,
    can: 'member.manage',
    serializes: 'instance',
    input: {
      /** Id or username of the direct member. */
      user: IdOrName,
      /** The new level, with the rules of `add`. */
      accessLevel: Id,
      /** The first day without access, such as `2026-11-21`. Unchanged if omitted; null removes it. */
      expiresAt: v.optional(v.nullable(DateOnly)),
    },
    async run(ctx, { user, accessLevel, expiresAt }, subject) {
      const member = await getDirectMember(ctx, subject, user)
      if (member.syncedLevel !== null && member.overriddenAt === null) {
        throw forbidden('A directory synchronizes the access level of this member; set an override first')
      }
      await assertNotPersonalOwner(ctx, subject, member)
      await assertOwnerRemains(ctx, [member.memberId])
      await assertValidLevel(ctx, subject, member.id, accessLevel)
      const isChanged = await updateChanged(ctx, 'member', member.memberId, { accessLevel, expiresAt })
      if (isChanged) await ctx.emit('member.updated', { ...containerKey(subject), userId: member.id })
      return presentMember(ctx, subject, await getDirectMember(ctx, subject, member.id))
    },
  }),

  /**
   * Ends a direct membership, the current user's own or that of another user. For a group, this also ends the direct memberships
   * of everything below it, unless `skipSubresources` is set. The last owner of a group and the owner of a personal project cannot be removed.
   */
  remove: command({
    on: containerAndUser,
    can: 'member.end',
    serializes: 'instance',
    input: {
      /** Id or username of the direct member. Members can remove themselves at any level. */
      user: IdOrName,
      /** Whether the direct memberships of the subgroups and projects of the group stay. Default: false. */
      skipSubresources: v.optional(v.boolean(), false),
      /**
       * Whether the user is removed from the assignees of all issues and merge requests of the project, or of all projects of the
       * group and its subgroups. Default: false.
       */
      unassignIssuables: v.optional(v.boolean(), false),
    },
    async run(ctx, { user, ...options }, subject) {
      const member = await getDirectMember(ctx, subject, user)
      assertUnmodified(ctx, await getModifiedAt(ctx, member))
      await removeMember(ctx, subject, member, options)
    },
  }),

  /** Allows the level of a member that a directory synchronizes to differ from the directory's level. */
  setOverride: command({
    on: group,
    can: 'member.override',
    serializes: 'instance',
    input: syncedMemberInput,
    run: (ctx, { user }, subject) => setOverride(ctx, subject, user, true),
  }),

  /** Removes an override. The next synchronization restores the directory's level. */
  removeOverride: command({
    on: group,
    can: 'member.override',
    serializes: 'instance',
    input: syncedMemberInput,
    run: (ctx, { user }, subject) => setOverride(ctx, subject, user, false),
  }),

  /** Adds a group member with the directory's level, or updates the level unless it is overridden. */
  sync: command({
    on: group,
    can: 'member.sync',
    serializes: 'instance',
    input: {
      /** Id or username of the user in the directory. */
      user: IdOrName,
      /** The directory's level: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner. */
      accessLevel: Id,
    },
    async run(ctx, { user, accessLevel }, subject) {
      const { id } = await findUser(ctx, user)
      const member = await findMemberByUser(directMembers(ctx, subject), id)
      if (!member || member.stale) {
        const joined = await addMember(ctx, subject, id, { accessLevel, expiresAt: null, syncedLevel: accessLevel })
        return presentMember(ctx, subject, joined)
      }
      await assertValidLevel(ctx, subject, id, accessLevel)
      const changesLevel = member.overriddenAt === null && member.accessLevel !== accessLevel
      if (changesLevel) await assertOwnerRemains(ctx, [member.memberId])
      const levels = { syncedLevel: accessLevel, ...(changesLevel && { accessLevel }) }
      await updateChanged(ctx, 'member', member.memberId, levels)
      return presentMember(ctx, subject, await getDirectMember(ctx, subject, id))
    },
  }),
}
