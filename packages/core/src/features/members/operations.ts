import * as v from 'valibot'
import { container, containerAndUser, group } from '../../access/subjects.ts'
import { isAdministrator } from '../../kernel/actor.ts'
import { refuseModified } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { forbidden, isPlatformError, notFound, type PlatformError } from '../../kernel/errors.ts'
import { DateOnly, Id, Reference } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paging } from '../../kernel/paging.ts'
import type { Subjects } from '../../policy.ts'
import { findUser } from '../accounts/queries.ts'
import { settingsInForce } from '../settings/queries.ts'
import type { Joined, Member } from './member.ts'
import { direct, join, leave, refuseBadLevel, refuseOwnerless, refusePersonalOwner } from './membership.ts'
import { directMemberPage, memberPage } from './pages.ts'
import {
  type Container,
  changedAt,
  directMembers,
  type MemberRow,
  memberNamed,
  nearestMember,
  toMember,
} from './queries.ts'
import { asSeen, pageAsSeen } from './saml-identity.ts'

const filter = { query: v.optional(v.string()), userIds: v.optional(v.array(Id)), ...paging }

/**
 * A membership of a group that a directory keeps in step. Nobody can override another kind, and owners only where the
 * settings leave directories to them (`allowGroupOwnersToManageLdap`).
 */
const syncedMember = async (ctx: Context, subject: Subjects['group'], user: number | string) => {
  if (!isAdministrator(ctx.actor) && !(await settingsInForce(ctx)).allowGroupOwnersToManageLdap) {
    throw forbidden('Only administrators manage what directories keep in step')
  }
  const member = await direct(ctx, subject, user)
  if (member.syncedLevel === null) throw forbidden('Only for members that a directory keeps in step')
  return member
}

const shown = async (ctx: Context, subject: Container, row: MemberRow): Promise<Member> =>
  asSeen(ctx, subject, toMember(await settingsInForce(ctx))(row))

const setOverride = async (
  ctx: Context,
  subject: Subjects['group'],
  user: number | string,
  overriddenAt: string | null,
): Promise<Member> => {
  const { memberId, id } = await syncedMember(ctx, subject, user)
  await ctx.db.updateTable('member').set({ overriddenAt, updatedAt: ctx.now }).where('id', '=', memberId).execute()
  return shown(ctx, subject, await direct(ctx, subject, id))
}

/** Of the fields of a new membership only the level is ever refused. */
const complaintOf = ({ problems, message }: PlatformError): string =>
  problems.length ? problems.map((problem) => `Access level ${problem.message}`).join(', ') : message

export const members = {
  /** Direct members, in the order in which they joined; with `query`, those whose name holds its words, exact ones first. */
  list: query({
    on: container,
    can: 'member.read',
    input: filter,
    async run(ctx, { query, userIds, ...at }, subject) {
      return pageAsSeen(ctx, subject, await directMemberPage(ctx, subject, { query, userIds }, at))
    },
  }),

  /** Everybody who is a member, directly, through a group above or through a share; each once by what is nearest, by user id. */
  listAll: query({
    on: container,
    can: 'member.read',
    input: filter,
    async run(ctx, { query, userIds, ...at }, subject) {
      return pageAsSeen(ctx, subject, await memberPage(ctx, subject, { query, userIds }, at))
    },
  }),

  /** One direct member. */
  get: query({
    on: container,
    can: 'member.read',
    input: { user: Reference },
    run: async (ctx, { user }, subject) => shown(ctx, subject, await direct(ctx, subject, user)),
  }),

  /** One member, direct or not, by the membership that is nearest. */
  getAll: query({
    on: container,
    can: 'member.read',
    input: { user: Reference },
    async run(ctx, { user }, subject) {
      const member = await nearestMember(ctx, subject, user)
      if (!member) throw notFound()
      return shown(ctx, subject, member)
    },
  }),

  /** Makes a user a direct member. Somebody who has asked for access has it with that. */
  add: command({
    on: container,
    can: 'member.manage',
    input: { user: Reference, accessLevel: Id, expiresAt: v.optional(v.nullable(DateOnly), null) },
    async run(ctx, { user, ...given }, subject) {
      const { id } = await findUser(ctx, user)
      return shown(ctx, subject, await join(ctx, subject, id, given))
    },
  }),

  /**
   * Makes several users direct members at once. Those who cannot be are told by their username, and hinder nobody else;
   * a single one who cannot be is refused as `add` refuses.
   */
  addSeveral: command({
    on: container,
    can: 'member.manage',
    input: {
      users: v.pipe(v.array(Id), v.minLength(1), v.maxLength(100)),
      accessLevel: Id,
      expiresAt: v.optional(v.nullable(DateOnly), null),
    },
    async run(ctx, { users, ...given }, subject): Promise<Joined> {
      const wanted = [...new Set(users)]
      const [only] = wanted
      if (wanted.length === 1) {
        const { id } = await findUser(ctx, only as number)
        return { member: await shown(ctx, subject, await join(ctx, subject, id, given)) }
      }
      const refused: Record<string, string> = {}
      // All are looked for before the first one joins: an unknown one is a mistake of the caller.
      const found = []
      for (const id of wanted) found.push(await findUser(ctx, id))
      for (const { id, username } of found) {
        try {
          await join(ctx, subject, id, given)
        } catch (error) {
          // Refusals come before the first write.
          if (!isPlatformError(error)) throw error
          refused[username] = complaintOf(error)
        }
      }
      return { member: null, status: Object.keys(refused).length ? 'error' : 'success', refused }
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
      return shown(ctx, subject, await direct(ctx, subject, member.id))
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
        const joined = await join(ctx, subject, id, { accessLevel, expiresAt: null, syncedLevel: accessLevel })
        return shown(ctx, subject, joined)
      }
      await refuseBadLevel(ctx, subject, id, accessLevel)
      const kept = member.overriddenAt !== null || member.accessLevel === accessLevel
      if (!kept) await refuseOwnerless(ctx, [member.memberId])
      await ctx.db
        .updateTable('member')
        .set({ syncedLevel: accessLevel, updatedAt: ctx.now, ...(!kept && { accessLevel }) })
        .where('id', '=', member.memberId)
        .execute()
      return shown(ctx, subject, await direct(ctx, subject, id))
    },
  }),
}
