import * as v from 'valibot'
import { container, containerAndUser, group } from '../../access/subjects.ts'
import type { Subjects } from '../../contract/subjects.ts'
import { updateChanged } from '../../db/update-changed.ts'
import { isAdministrator } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { forbidden, notFound } from '../../kernel/errors.ts'
import { DateOnly, Id, IdOrName } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { pagingEntries } from '../../kernel/paging.ts'
import { assertUnmodified } from '../../kernel/precondition.ts'
import { findUser } from '../accounts/queries.ts'
import { getSettings } from '../settings/queries.ts'
import { findHiddenGroups } from './hidden-groups.ts'
import type { AddMembersResult, Member } from './member.ts'
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
  toMember,
} from './queries.ts'
import { describeRejection } from './rejection.ts'
import { pageWithVisibleIdentities, withVisibleIdentity } from './saml-identity.ts'

const listInput = {
  /**
   * Words that the name or the username contains, or a complete e-mail address: the caller's own, or any for
   * administrators. At most 1,024 characters and 8 words.
   */
  query: v.optional(v.string()),
  /** Ids of the users to list; an empty array lists none. Default: all members. */
  userIds: v.optional(v.array(Id)),
  /** Ids of at most 1,000 users to leave out. */
  skipUsers: v.optional(v.pipe(v.array(Id), v.maxLength(1000))),
  ...pagingEntries,
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

const presentMember = async (ctx: Context, subject: Container, row: MemberRow): Promise<Member> =>
  withVisibleIdentity(ctx, subject, toMember(await getSettings(ctx))(row))

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

const allMembersInput = {
  ...listInput,
  /** `awaiting`: members who wait for an approval, which there are none; `active`: all others. Default: both. */
  state: v.optional(v.picklist(['awaiting', 'active'])),
}

export const members = {
  /** Lists direct members in the order of joining. `query` searches names and usernames and lists exact matches first. */
  list: query({
    on: container,
    can: 'member.read',
    input: listInput,
    async run(ctx, { query, userIds, skipUsers, ...paging }, subject) {
      return pageWithVisibleIdentities(
        ctx,
        subject,
        await directMemberPage(ctx, subject, { query, userIds, skipUsers }, paging),
      )
    },
  }),

  /** Lists all members by user id: direct, inherited or through a share, each once with the nearest membership. */
  listAll: query({
    on: container,
    can: 'member.read',
    input: allMembersInput,
    async run(ctx, { query, userIds: ids, skipUsers, state, ...paging }, subject) {
      const userIds = state === 'awaiting' ? [] : ids
      return pageWithVisibleIdentities(
        ctx,
        subject,
        await memberPage(ctx, subject, { query, userIds, skipUsers }, paging),
      )
    },
  }),

  /** Gets a direct member. Fails with `not_found` for a user who is a member only through a group above or a share. */
  get: query({
    on: container,
    can: 'member.read',
    input: {
      /** Id or username of the member. */
      user: IdOrName,
    },
    run: async (ctx, { user }, subject) => presentMember(ctx, subject, await getDirectMember(ctx, subject, user)),
  }),

  /** Gets a member, direct or not, with the nearest membership. */
  getAll: query({
    on: container,
    can: 'member.read',
    input: {
      /** Id or username of the member. */
      user: IdOrName,
    },
    async run(ctx, { user }, subject) {
      const member = await findNearestMember(ctx, subject, user, await findHiddenGroups(ctx, subject))
      if (!member) throw notFound()
      return presentMember(ctx, subject, member)
    },
  }),

  /**
   * Adds a user as a direct member, which also closes the user's access request. Fails with `conflict` if the user is a
   * direct member already.
   */
  add: command({
    on: container,
    can: 'member.manage',
    serializes: 'instance',
    input: {
      /** Id or username of the user to add. */
      user: IdOrName,
      /**
       * The level to grant: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner (groups only). Users can grant
       * at most their own level; the level must be at least the one that the new member inherits from a group above.
       */
      accessLevel: Id,
      /** The first day without access, such as `2026-11-21`; null for a membership without end. */
      expiresAt: v.optional(v.nullable(DateOnly), null),
    },
    async run(ctx, { user, ...membership }, subject) {
      const { id } = await findUser(ctx, user)
      return presentMember(ctx, subject, await addMember(ctx, subject, id, membership))
    },
  }),

  /**
   * Adds several users as direct members. `errors` contains the users who could not be added, by username. A call with a
   * single user throws the errors of `add` instead.
   */
  addSeveral: command({
    on: container,
    can: 'member.manage',
    serializes: 'instance',
    input: {
      /** Ids of 1 to 100 users; repeated ids count once. An unknown id rejects the whole call with `not_found`. */
      users: v.pipe(v.array(Id), v.minLength(1), v.maxLength(100)),
      /** The level to grant to each user, with the rules of `add`. */
      accessLevel: Id,
      /** The first day without access, such as `2026-11-21`; null for memberships without end. */
      expiresAt: v.optional(v.nullable(DateOnly), null),
    },
    async run(ctx, { users, ...membership }, subject): Promise<AddMembersResult> {
      const distinct = [...new Set(users)]
      const [only] = distinct
      if (distinct.length === 1) {
        const { id } = await findUser(ctx, only as number)
        return { member: await presentMember(ctx, subject, await addMember(ctx, subject, id, membership)) }
      }
      const errors: Record<string, string> = {}
      // Find all users before the first insert: an unknown id rejects the whole call.
      const newMembers = []
      for (const id of distinct) newMembers.push(await findUser(ctx, id))
      for (const { id, username } of newMembers) {
        const rejection = await describeRejection(() => addMember(ctx, subject, id, membership))
        if (rejection !== undefined) errors[username] = rejection
      }
      return { member: null, status: Object.keys(errors).length ? 'error' : 'success', errors }
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
      /** The first day without access, such as `2026-11-21`. Unchanged if absent; null removes it. */
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
   * Ends a direct membership, the caller's own or that of another user. For a group, this also ends the direct memberships
   * of everything below it. The last owner of a group and the owner of a personal project cannot be removed.
   */
  remove: command({
    on: containerAndUser,
    can: 'member.end',
    serializes: 'instance',
    input: {
      /** Id or username of the direct member. Members can remove themselves at any level. */
      user: IdOrName,
    },
    async run(ctx, { user }, subject) {
      const member = await getDirectMember(ctx, subject, user)
      assertUnmodified(ctx, await getModifiedAt(ctx, member))
      await removeMember(ctx, subject, member)
    },
  }),

  /** Allows the level of a member that a directory synchronizes to differ from the directory's level. */
  setOverride: command({
    on: group,
    can: 'member.override',
    serializes: 'instance',
    input: {
      /** Id or username of a direct member with a level that a directory synchronizes. */
      user: IdOrName,
    },
    run: (ctx, { user }, subject) => setOverride(ctx, subject, user, true),
  }),

  /** Removes an override. The next synchronization restores the directory's level. */
  removeOverride: command({
    on: group,
    can: 'member.override',
    serializes: 'instance',
    input: {
      /** Id or username of a direct member with a level that a directory synchronizes. */
      user: IdOrName,
    },
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
