import { Access, formatLevel, groupLevels, projectLevels } from '../../../access/levels.ts'
import { findNamespace } from '../../../access/namespaces.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { isUnexpired } from '../../../db/functions.ts'
import { getUserId } from '../../../kernel/actor.ts'
import { type Context, today } from '../../../kernel/context.ts'
import { conflict, forbidden, invalid, notFound } from '../../../kernel/errors.ts'
import { defined } from '../../../shared/defined.ts'
import { assertMembersUnlocked } from '../../accounts/namespaces/inherited-settings.ts'
import { assertUserAllowed } from './email-domains.ts'
import type { Container } from './membership-rows.ts'
import { containerKey, directMembers, findInheritedMembership, findMemberByUser, type MemberRow } from './queries.ts'

/**
 * Validates a level that the current user grants on a project or group, to a user or to the members of a group: it must exist
 * there, and users cannot grant more than they have themselves.
 *
 * @throws PlatformError `invalid` on `accessLevel`
 */
export const assertGrantable = ({ actor }: Context, subject: Container, level: number): void => {
  const levels = subject.kind === 'project' ? projectLevels : groupLevels
  const highest = actor.kind === 'user' && !actor.admin ? subject.access : Access.owner
  const grantable = levels.filter((known) => known <= highest)
  if (!grantable.includes(level))
    throw invalid(
      { accessLevel: ['is not included in the list'] },
      `accessLevel must be ${new Intl.ListFormat('en', { type: 'disjunction' }).format(grantable.map(String))}`,
    )
}

/**
 * Validates the level of a new or changed membership: it must be grantable and not below the level that the user inherits
 * from ancestor groups. Levels from shares do not count.
 *
 * @throws PlatformError `invalid` on `accessLevel`
 */
export async function assertValidLevel(ctx: Context, subject: Container, userId: number, level: number): Promise<void> {
  assertGrantable(ctx, subject, level)
  const above = subject.kind === 'project' ? subject.project.namespaceId : subject.group.parentId
  const inherited = above === null ? undefined : await findInheritedMembership(ctx, userId, above)
  if (inherited && level < inherited.accessLevel) {
    const required = `${formatLevel(inherited.accessLevel)} inherited membership from group ${inherited.groupName}`
    throw invalid({ accessLevel: [`should be greater than or equal to ${required}`] })
  }
}

interface NewMembership {
  readonly accessLevel: number
  readonly expiresAt: string | null
  /** The level in the directory, for a membership that a directory synchronizes. */
  readonly syncedLevel?: number
  /** Whether the user is the bot of a new access token of the project or group. */
  readonly isBot?: boolean
}

/**
 * Checks that the user is not the bot of another project or group.
 *
 * @throws PlatformError `invalid` on `user`
 */
const assertNotForeignBot = async (ctx: Context, userId: number) => {
  const membership = await ctx.db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .where('member.userId', '=', userId)
    .where('user.bot', '=', true)
    .select('member.id')
    .executeTakeFirst()
  if (membership) throw invalid({ user: ['project bots cannot be added to other groups / projects'] })
}

/**
 * Adds a user as a direct member. An expired membership of the user is ended first, as the daily job would do.
 *
 * @throws PlatformError `conflict` if the user is a direct member already, `invalid` for an invalid level
 */
export async function addMember(
  ctx: Context,
  subject: Container,
  userId: number,
  { accessLevel, expiresAt, syncedLevel, isBot = false }: NewMembership,
): Promise<MemberRow> {
  const owner = containerKey(subject)
  const existing = await findMemberByUser(directMembers(ctx, subject), userId)
  if (existing && !existing.stale) throw conflict('Member already exists')
  await assertNotForeignBot(ctx, userId)
  if (subject.kind === 'project' && !isBot) await assertMembersUnlocked(ctx, subject.project)
  if (!isBot) await assertUserAllowed(ctx, subject, userId)
  await assertValidLevel(ctx, subject, userId, accessLevel)
  if (existing) await endMemberships(ctx, [toEnded(subject, existing)], true)
  await ctx.db
    .insertInto('member')
    .values({
      ...owner,
      userId,
      accessLevel,
      expiresAt,
      createdAt: ctx.now,
      updatedAt: null,
      createdById: getUserId(ctx.actor) || null,
      syncedLevel: syncedLevel ?? null,
      overriddenAt: null,
    } satisfies CompleteRow<'member'>)
    .execute()
  await ctx.emit('member.joined', { ...owner, userId })
  return getDirectMember(ctx, subject, userId)
}

/**
 * A direct membership, by the id or username of its user.
 *
 * @throws PlatformError `not_found`, with the same message for an unknown user
 */
export async function getDirectMember(ctx: Context, subject: Container, user: number | string): Promise<MemberRow> {
  const member = await findMemberByUser(directMembers(ctx, subject), user)
  if (!member) throw notFound()
  return member
}

interface EndedMembership {
  readonly memberId: number
  readonly projectId: number | null
  readonly groupId: number | null
  readonly userId: number
  readonly accessLevel: number
}

const toEnded = (subject: Container, { memberId, id, accessLevel }: MemberRow): EndedMembership => ({
  ...containerKey(subject),
  memberId,
  userId: id,
  accessLevel,
})

const endMemberships = async (ctx: Context, ended: readonly EndedMembership[], expired: boolean) => {
  await ctx.db
    .deleteFrom('member')
    .where(
      'id',
      'in',
      ended.map(({ memberId }) => memberId),
    )
    .execute()
  for (const { projectId, groupId, userId, accessLevel } of ended) {
    await ctx.emit('member.left', { projectId, groupId, userId, expired, accessLevel })
  }
}

/** The membership itself and, for a group, the user's direct memberships of everything below the group. */
const findMembershipsBelow = async (
  ctx: Context,
  subject: Container,
  member: MemberRow,
): Promise<EndedMembership[]> => {
  if (subject.kind === 'project') return [toEnded(subject, member)]
  const below = ctx.db.selectFrom('namespaceLineage').where('ancestorId', '=', subject.group.id).select('namespaceId')
  return ctx.db
    .selectFrom('member')
    .leftJoin('project', 'project.id', 'member.projectId')
    .where('member.userId', '=', member.id)
    .where((eb) => eb.or([eb('member.groupId', 'in', below), eb('project.namespaceId', 'in', below)]))
    .orderBy('member.id')
    .select(['member.id as memberId', 'member.projectId', 'member.groupId', 'member.userId', 'member.accessLevel'])
    .execute()
}

interface RemovalOptions {
  /** Whether the memberships below a group stay. */
  readonly skipSubresources?: boolean
  /** Whether the user is no longer an assignee of issues and merge requests there. */
  readonly unassignIssuables?: boolean
}

/** Removes a user from the assignees of all issues and merge requests of a project, or of all projects below a group. */
const unassign = async (ctx: Context, subject: Container, userId: number) => {
  const projects =
    subject.kind === 'project'
      ? ctx.db.selectFrom('project').where('id', '=', subject.project.id).select('id')
      : ctx.db
          .selectFrom('project')
          .innerJoin('namespaceLineage', 'namespaceLineage.namespaceId', 'project.namespaceId')
          .where('namespaceLineage.ancestorId', '=', subject.group.id)
          .select('project.id')
  const issues = ctx.db.selectFrom('issue').where('projectId', 'in', projects).select('id')
  await ctx.db.deleteFrom('issueAssignee').where('userId', '=', userId).where('issueId', 'in', issues).execute()
  const mergeRequests = ctx.db.selectFrom('mergeRequest').where('projectId', 'in', projects).select('id')
  await ctx.db
    .deleteFrom('mergeRequestAssignee')
    .where('userId', '=', userId)
    .where('mergeRequestId', 'in', mergeRequests)
    .execute()
}

/** Ends a direct membership and, for a group, the user's direct memberships of everything below the group. */
export async function removeMember(
  ctx: Context,
  subject: Container,
  member: MemberRow,
  { skipSubresources, unassignIssuables }: RemovalOptions = {},
): Promise<void> {
  const ended = skipSubresources ? [toEnded(subject, member)] : await findMembershipsBelow(ctx, subject, member)
  await assertNotPersonalOwner(ctx, subject, member)
  await assertOwnerRemains(
    ctx,
    ended.map(({ memberId }) => memberId),
  )
  await endMemberships(ctx, ended, false)
  if (unassignIssuables) await unassign(ctx, subject, member.id)
}

/**
 * Checks that each group has another active owner, direct or inherited, if the memberships end or change. Applies to all
 * callers, including the host. Check and write share a transaction, so two owners cannot remove each other concurrently.
 *
 * @throws PlatformError `forbidden`
 */
export async function assertOwnerRemains(ctx: Context, memberIds: readonly number[]): Promise<void> {
  const lost = await selectActiveOwners(ctx)
    .where('member.id', 'in', [...memberIds])
    .select('member.groupId')
    .execute()
  for (const { groupId } of lost) {
    const other = await selectActiveOwners(ctx)
      .innerJoin('namespaceLineage as up', 'up.ancestorId', 'member.groupId')
      .where('up.namespaceId', '=', defined(groupId))
      .where('member.id', 'not in', [...memberIds])
      .select('member.id')
      .limit(1)
      .executeTakeFirst()
    if (!other) throw forbidden('A group must keep at least one active owner')
  }
}

/** Unexpired group memberships of active users with owner level, without those of bots. */
const selectActiveOwners = (ctx: Context) =>
  ctx.db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .where('user.state', '=', 'active')
    .where('user.bot', '=', false)
    .where('member.groupId', 'is not', null)
    .where('member.accessLevel', '>=', Access.owner)
    .where(isUnexpired('member.expiresAt', today(ctx)))

/**
 * Checks that the membership is not that of the owner of a personal project, which can neither change nor end.
 *
 * @throws PlatformError `forbidden`
 */
export async function assertNotPersonalOwner(ctx: Context, subject: Container, { id }: MemberRow): Promise<void> {
  if (subject.kind !== 'project') return
  const home = await findNamespace(ctx, subject.project.namespaceId)
  if (home?.ownerId === id) throw forbidden('The owner of a personal project cannot be changed or removed')
}
