import { Access, groupLevels, levelName, projectLevels } from '../../access/levels.ts'
import { type Context, today } from '../../kernel/context.ts'
import { conflict, forbidden, invalid, notFound } from '../../kernel/errors.ts'
import type { Subjects } from '../../policy.ts'
import { findNamespace } from '../groups/queries.ts'
import { directMembers, inheritedMembership, type MemberRow, memberNamed, ownerOf } from './queries.ts'

type Container = Subjects['project'] | Subjects['group']

/**
 * The one rule of levels, for every way to become or stay a member: a level must exist for the container and not be below
 * what the user inherits from the groups above. Levels that come through shares do not count.
 *
 * @throws PlatformError `invalid` on `accessLevel`
 */
export async function refuseBadLevel(ctx: Context, subject: Container, userId: number, level: number): Promise<void> {
  const grantable = subject.kind === 'project' ? projectLevels : groupLevels
  if (!grantable.includes(level)) throw invalid({ accessLevel: ['is not included in the list'] })
  const above = subject.kind === 'project' ? subject.project.namespaceId : subject.group.parentId
  const inherited = above === null ? undefined : await inheritedMembership(ctx, userId, above)
  if (inherited && level < inherited.accessLevel) {
    const from = `${levelName(inherited.accessLevel)} inherited membership from group ${inherited.groupName}`
    throw invalid({ accessLevel: [`should be greater than or equal to ${from}`] })
  }
}

interface NewMembership {
  readonly accessLevel: number
  readonly expiresAt: string | null
  /** The level that a directory gives, when it is one that asks. */
  readonly syncedLevel?: number
}

/**
 * Makes a user a direct member. A membership whose last day has passed does not stand in the way: it ends here, as it
 * would with the next daily job.
 *
 * @throws PlatformError `conflict` when they are one, `invalid` for a bad level
 */
export async function join(
  ctx: Context,
  subject: Container,
  userId: number,
  { accessLevel, expiresAt, syncedLevel }: NewMembership,
): Promise<MemberRow> {
  const owner = ownerOf(subject)
  const known = await memberNamed(directMembers(ctx, subject), userId)
  if (known && !known.stale) throw conflict('Member already exists')
  await refuseBadLevel(ctx, subject, userId, accessLevel)
  if (known) await end(ctx, [{ ...owner, memberId: known.memberId, userId }], true)
  await ctx.db
    .insertInto('member')
    .values({ ...owner, userId, accessLevel, expiresAt, createdAt: ctx.now, syncedLevel: syncedLevel ?? null })
    .execute()
  await ctx.emit('member.joined', { ...owner, userId })
  return direct(ctx, subject, userId)
}

/**
 * A direct membership, by the id or name of its user.
 *
 * @throws PlatformError `not_found`, in the same words for a user who does not exist
 */
export async function direct(ctx: Context, subject: Container, user: number | string): Promise<MemberRow> {
  const found = await memberNamed(directMembers(ctx, subject), user)
  if (!found) throw notFound()
  return found
}

interface Ending {
  readonly memberId: number
  readonly projectId: number | null
  readonly groupId: number | null
  readonly userId: number
}

const end = async (ctx: Context, endings: readonly Ending[], expired: boolean) => {
  await ctx.db
    .deleteFrom('member')
    .where(
      'id',
      'in',
      endings.map(({ memberId }) => memberId),
    )
    .execute()
  for (const { projectId, groupId, userId } of endings) {
    await ctx.emit('member.left', { projectId, groupId, userId, expired })
  }
}

/** Memberships that end with this one: those of everything below a group end with the group's. */
const endingWith = async (ctx: Context, subject: Container, member: MemberRow): Promise<Ending[]> => {
  if (subject.kind === 'project') return [{ ...ownerOf(subject), memberId: member.memberId, userId: member.id }]
  const below = ctx.db.selectFrom('namespaceLineage').where('ancestorId', '=', subject.group.id).select('namespaceId')
  return ctx.db
    .selectFrom('member')
    .leftJoin('project', 'project.id', 'member.projectId')
    .where('member.userId', '=', member.id)
    .where((eb) => eb.or([eb('member.groupId', 'in', below), eb('project.namespaceId', 'in', below)]))
    .orderBy('member.id')
    .select(['member.id as memberId', 'member.projectId', 'member.groupId', 'member.userId'])
    .execute()
}

/** Ends a direct membership, and with a group's all direct memberships of what is below the group. */
export async function leave(ctx: Context, subject: Container, member: MemberRow): Promise<void> {
  const endings = await endingWith(ctx, subject, member)
  await refusePersonalOwner(ctx, subject, member)
  await refuseOwnerless(
    ctx,
    endings.map(({ memberId }) => memberId),
  )
  await end(ctx, endings, false)
}

/**
 * A group never loses its last owner, whoever asks: changed or ended memberships must leave each group somebody active
 * with level 50, its own or inherited. Reads and writes are one transaction, so two owners cannot end each other at once.
 *
 * @throws PlatformError `forbidden`
 */
export async function refuseOwnerless(ctx: Context, memberIds: readonly number[]): Promise<void> {
  const lost = await owners(ctx)
    .where('member.id', 'in', [...memberIds])
    .select('member.groupId')
    .execute()
  for (const { groupId } of lost) {
    const other = await owners(ctx)
      .innerJoin('namespaceLineage as up', 'up.ancestorId', 'member.groupId')
      .where('up.namespaceId', '=', groupId as number)
      .where('member.id', 'not in', [...memberIds])
      .select('member.id')
      .limit(1)
      .executeTakeFirst()
    if (!other) throw forbidden('A group keeps its last owner')
  }
}

/** Memberships that make somebody active an owner of a group today. */
const owners = (ctx: Context) =>
  ctx.db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .where('user.state', '=', 'active')
    .where('member.groupId', 'is not', null)
    .where('member.accessLevel', '>=', Access.owner)
    .where((eb) => eb.or([eb('member.expiresAt', 'is', null), eb('member.expiresAt', '>', today(ctx))]))

/**
 * Whoever a personal project belongs to stays its member, as they are.
 *
 * @throws PlatformError `forbidden`
 */
export async function refusePersonalOwner(ctx: Context, subject: Container, { id }: MemberRow): Promise<void> {
  if (subject.kind !== 'project') return
  const home = await findNamespace(ctx, subject.project.namespaceId)
  if (home?.ownerId === id) throw forbidden('A personal project keeps its owner')
}
