import * as v from 'valibot'
import { container, containerAndUser, group } from '../../access/subjects.ts'
import { refuseModified } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { forbidden, notFound } from '../../kernel/errors.ts'
import { DateOnly, Id, Reference } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import type { Subjects } from '../../policy.ts'
import { findUser } from '../accounts/queries.ts'
import type { Member } from './member.ts'
import { direct, join, leave, refuseBadLevel, refuseOwnerless, refusePersonalOwner } from './membership.ts'
import { allMembers, changedAt, directMembers, memberNamed, selected, toMember } from './queries.ts'
import { asSeen, pageAsSeen } from './saml-identity.ts'

const filter = { query: v.optional(v.string()), userIds: v.optional(v.array(Id)), ...paging }

/** A membership of a group that a directory keeps in step. Nobody can override another kind. */
const syncedMember = async (ctx: Context, subject: Subjects['group'], user: number | string) => {
  const member = await direct(ctx, subject, user)
  if (member.syncedLevel === null) throw forbidden('Only for members that a directory keeps in step')
  return member
}

const setOverride = async (
  ctx: Context,
  subject: Subjects['group'],
  user: number | string,
  overriddenAt: string | null,
): Promise<Member> => {
  const { memberId, id } = await syncedMember(ctx, subject, user)
  await ctx.db.updateTable('member').set({ overriddenAt, updatedAt: ctx.now }).where('id', '=', memberId).execute()
  return toMember(await direct(ctx, subject, id))
}

export const members = {
  /** Direct members, in the order in which they joined; with `query`, those whose name holds its words, exact ones first. */
  list: query({
    on: container,
    can: 'member.read',
    input: filter,
    async run(ctx, { query, userIds, ...at }, subject) {
      const members = selected(ctx, directMembers(ctx, subject), { query, userIds })
      return pageAsSeen(ctx, subject, await paginate(members, at, toMember))
    },
  }),

  /** Everybody who is a member, directly, through a group above or through a share; each once, by what is nearest. */
  listAll: query({
    on: container,
    can: 'member.read',
    input: filter,
    async run(ctx, { query, userIds, ...at }, subject) {
      const members = selected(ctx, allMembers(ctx, subject), { query, userIds })
      return pageAsSeen(ctx, subject, await paginate(members, at, toMember))
    },
  }),

  /** One direct member. */
  get: query({
    on: container,
    can: 'member.read',
    input: { user: Reference },
    run: async (ctx, { user }, subject) => asSeen(ctx, subject, toMember(await direct(ctx, subject, user))),
  }),

  /** One member, direct or not, by the membership that is nearest. */
  getAll: query({
    on: container,
    can: 'member.read',
    input: { user: Reference },
    async run(ctx, { user }, subject) {
      const member = await memberNamed(allMembers(ctx, subject), user)
      if (!member) throw notFound()
      return asSeen(ctx, subject, toMember(member))
    },
  }),

  /** Makes a user a direct member. Somebody who has asked for access has it with that. */
  add: command({
    on: container,
    can: 'member.manage',
    input: { user: Reference, accessLevel: Id, expiresAt: v.optional(v.nullable(DateOnly), null) },
    async run(ctx, { user, ...given }, subject) {
      const { id } = await findUser(ctx, user)
      return toMember(await join(ctx, subject, id, given))
    },
  }),

  /** Changes a direct member's level. The expiry stays when it is absent; null takes it away. */
  update: command({
    on: container,
    can: 'member.manage',
    input: { user: Reference, accessLevel: Id, expiresAt: v.optional(v.nullable(DateOnly)) },
    async run(ctx, { user, accessLevel, expiresAt }, subject) {
      const member = await direct(ctx, subject, user)
      if (member.syncedLevel !== null && member.overriddenAt === null) {
        throw forbidden('The directory sets this level: override it first')
      }
      await refusePersonalOwner(ctx, subject, member)
      await refuseOwnerless(ctx, [member.memberId])
      await refuseBadLevel(ctx, subject, member.id, accessLevel)
      await ctx.db
        .updateTable('member')
        .set({ accessLevel, updatedAt: ctx.now, ...(expiresAt !== undefined && { expiresAt }) })
        .where('id', '=', member.memberId)
        .execute()
      return toMember(await direct(ctx, subject, member.id))
    },
  }),

  /**
   * Ends a direct membership: somebody's, or one's own. Leaving a group ends the direct memberships of everything below
   * it as well. Neither the last owner of a group nor the owner of a personal project can go.
   */
  remove: command({
    on: containerAndUser,
    can: 'member.end',
    input: { user: Reference },
    async run(ctx, { user }, subject) {
      const member = await direct(ctx, subject, user)
      refuseModified(ctx, await changedAt(ctx, member))
      await leave(ctx, subject, member)
    },
  }),

  /** Lets the level of a directory-synced member of a group differ from the directory's. */
  setOverride: command({
    on: group,
    can: 'member.override',
    input: { user: Reference },
    run: (ctx, { user }, subject) => setOverride(ctx, subject, user, ctx.now),
  }),

  /** Hands the level of a directory-synced member back to the directory; it changes with the next synchronisation. */
  removeOverride: command({
    on: group,
    can: 'member.override',
    input: { user: Reference },
    run: (ctx, { user }, subject) => setOverride(ctx, subject, user, null),
  }),

  /**
   * For the host's directory synchronisation: somebody is a member of a group with the level that the directory gives.
   * Adds who is missing; leaves the level alone where it is overridden.
   */
  sync: command({
    on: group,
    can: 'member.sync',
    input: { user: Reference, accessLevel: Id },
    async run(ctx, { user, accessLevel }, subject) {
      const { id } = await findUser(ctx, user)
      const member = await memberNamed(directMembers(ctx, subject), id)
      if (!member || member.stale) {
        return toMember(await join(ctx, subject, id, { accessLevel, expiresAt: null, syncedLevel: accessLevel }))
      }
      await refuseBadLevel(ctx, subject, id, accessLevel)
      const kept = member.overriddenAt !== null || member.accessLevel === accessLevel
      if (!kept) await refuseOwnerless(ctx, [member.memberId])
      await ctx.db
        .updateTable('member')
        .set({ syncedLevel: accessLevel, updatedAt: ctx.now, ...(!kept && { accessLevel }) })
        .where('id', '=', member.memberId)
        .execute()
      return toMember(await direct(ctx, subject, id))
    },
  }),
}
