import type { Expression, ExpressionBuilder, Kysely } from 'kysely'
import type { Database } from '../../../contract/database.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { isUnexpired, least } from '../../../db/functions.ts'
import { type Context, today } from '../../../kernel/context.ts'

export type Container = Subjects['project'] | Subjects['group']

/** Memberships with the columns that all parts of a union share. */
const selectMemberships = (db: Kysely<Database>, day: string) =>
  db
    .selectFrom('member')
    .select([
      'member.id',
      'member.userId',
      'member.groupId',
      'member.accessLevel',
      'member.expiresAt',
      'member.createdAt',
    ])
    .select(['member.createdById', 'member.syncedLevel', 'member.overriddenAt'])
    .select((eb) => eb.case().when('member.expiresAt', '<=', day).then(1).else(0).end().as('stale'))

/** Direct memberships, including expired ones: these can be listed and extended until the daily job deletes them. */
export const directRows = (ctx: Context, subject: Container) =>
  selectMemberships(ctx.db, today(ctx))
    .where((eb) =>
      subject.kind === 'project'
        ? eb('member.projectId', '=', subject.project.id)
        : eb('member.groupId', '=', subject.group.id),
    )
    .select((eb) => eb.lit<number>(0).as('distance'))

/** Memberships of a group (distance 1) and of its ancestors. */
const lineageRows = (ctx: Context, namespaceId: number) =>
  selectMemberships(ctx.db, today(ctx))
    .innerJoin('namespaceLineage as up', 'up.ancestorId', 'member.groupId')
    .where('up.namespaceId', '=', namespaceId)
    .select((eb) => eb('up.depth', '+', 1).as('distance'))

/** Greater than the distance of any ancestor group. */
const sharedDistance = 1_000_000

/** Memberships of invited groups that are not hidden; the share limits the access level. */
const invitedRows = (ctx: Context, hidden: readonly number[]) =>
  ctx.db
    .selectFrom('member')
    .innerJoin('namespaceLineage as invited', 'invited.ancestorId', 'member.groupId')
    .innerJoin('share', 'share.withGroupId', 'invited.namespaceId')
    .where(isUnexpired('share.expiresAt', today(ctx)))
    .$if(hidden.length > 0, (rows) => rows.where('share.withGroupId', 'not in', hidden))
    .select(['member.id', 'member.userId', 'member.groupId'])
    .select(({ ref }) => least(ref('member.accessLevel'), ref('share.accessLevel')).as('accessLevel'))
    .select(['member.expiresAt', 'member.createdAt', 'member.createdById'])
    .select((eb) => [
      eb.lit(null).$castTo<number | null>().as('syncedLevel'),
      eb.lit(null).$castTo<string | null>().as('overriddenAt'),
      eb.case().when('member.expiresAt', '<=', today(ctx)).then(1).else(0).end().as('stale'),
      eb.lit<number>(sharedDistance).as('distance'),
    ])

const selectSharedWithGroup = (ctx: Context, namespaceId: number, hidden: readonly number[]) =>
  invitedRows(ctx, hidden)
    .innerJoin('namespaceLineage as up', 'up.ancestorId', 'share.groupId')
    .where('up.namespaceId', '=', namespaceId)

/** All memberships of the users that apply to a project or a group; a user can have several. */
const applicableRows = (ctx: Context, subject: Container, users: UserIds, hidden: readonly number[]) => {
  const ofUsers = (eb: ExpressionBuilder<Database, 'member'>) => userIdIn(eb, users)
  const inGroup = (namespaceId: number) =>
    lineageRows(ctx, namespaceId)
      .where(ofUsers)
      .unionAll(selectSharedWithGroup(ctx, namespaceId, hidden).where(ofUsers))
  return subject.kind === 'group'
    ? inGroup(subject.group.id)
    : directRows(ctx, subject)
        .where(ofUsers)
        .unionAll(inGroup(subject.project.namespaceId))
        .unionAll(invitedRows(ctx, hidden).where('share.projectId', '=', subject.project.id).where(ofUsers))
}

/** User ids: a list or a subquery. */
export type UserIds = readonly number[] | Expression<{ userId: number }>

/** One membership per user: active before expired, then the nearest, then the highest level. Without those of hidden groups. */
export const nearestRows = (ctx: Context, subject: Container, users: UserIds, hidden: readonly number[] = []) =>
  ctx.db
    .selectFrom(
      ctx.db
        .selectFrom(applicableRows(ctx, subject, users, hidden).as('applicable'))
        .selectAll('applicable')
        .select((eb) =>
          eb.fn
            .agg<number>('row_number')
            .over((over) =>
              over
                .partitionBy('applicable.userId')
                .orderBy('applicable.stale')
                .orderBy('applicable.distance')
                .orderBy('applicable.accessLevel', 'desc')
                .orderBy('applicable.id'),
            )
            .as('rank'),
        )
        .as('ranked'),
    )
    .where('ranked.rank', '=', 1)
    .select(['ranked.id', 'ranked.userId', 'ranked.groupId', 'ranked.accessLevel', 'ranked.expiresAt'])
    .select([
      'ranked.createdAt',
      'ranked.createdById',
      'ranked.syncedLevel',
      'ranked.overriddenAt',
      'ranked.stale',
      'ranked.distance',
    ])

/** Ids of the groups that contribute indirect members: the ancestors, and invited groups with their ancestors. */
const findContributingGroupIds = async (
  ctx: Context,
  subject: Container,
  hidden: readonly number[],
): Promise<readonly number[]> => {
  const [projectId, namespaceId] =
    subject.kind === 'project' ? [subject.project.id, subject.project.namespaceId] : [0, subject.group.id]
  const above = ctx.db.selectFrom('namespaceLineage').where('namespaceId', '=', namespaceId).select('ancestorId as id')
  const invited = ctx.db
    .selectFrom('share')
    .innerJoin('namespaceLineage as invited', 'invited.namespaceId', 'share.withGroupId')
    .where(isUnexpired('share.expiresAt', today(ctx)))
    .$if(hidden.length > 0, (rows) => rows.where('share.withGroupId', 'not in', hidden))
    .select('invited.ancestorId as id')
  const rows = await above
    .union(invited.where('share.groupId', 'in', above))
    .union(invited.where('share.projectId', '=', projectId))
    .execute()
  return rows.map(({ id }) => id)
}

/** Databases limit the number of parts of a union, and merging sorted parts is fast only for a few of them. */
const maxUnionParts = 50

/**
 * Distinct user ids of all members. Each group is a separate part of the union and is read from an index in the order of
 * user ids, so that the cost of a page does not depend on the number of memberships.
 */
export async function selectMemberIds(ctx: Context, subject: Container, filter: UserFilter, hidden: readonly number[]) {
  const rows = ctx.db
    .selectFrom('member')
    .select('userId')
    .where((eb) => userIdMatches(eb, filter))
  const groups = await findContributingGroupIds(ctx, subject, hidden)
  const queries =
    groups.length > maxUnionParts
      ? [rows.where('groupId', 'in', groups)]
      : groups.map((group) => rows.where('groupId', '=', group))
  if (subject.kind === 'project') queries.push(rows.where('projectId', '=', subject.project.id))
  return queries.reduce((union, next) => union.union(next))
}

/** An empty list matches no user; SQL does not allow an empty `in` list. */
const userIdIn = (eb: ExpressionBuilder<Database, 'member'>, ids: UserIds) =>
  Array.isArray(ids) && !ids.length ? eb.lit(false) : eb('member.userId', 'in', ids as never)

const selectSamlUsers = (eb: ExpressionBuilder<Database, 'member'>, groupIds: readonly number[]) =>
  eb
    .selectFrom('scimIdentity')
    .where('scimIdentity.groupId', 'in', groupIds)
    .where('scimIdentity.unlinkedAt', 'is', null)
    .select('scimIdentity.userId')

/** The users to list, all of them if undefined, and users to leave out. */
export interface UserFilter {
  readonly userIds?: readonly number[] | undefined
  readonly skipUsers?: readonly number[] | undefined
  /** Only users with an identity at the SAML provider of one of these groups. */
  readonly samlGroupIds?: readonly number[] | undefined
}

export const userIdMatches = (
  eb: ExpressionBuilder<Database, 'member'>,
  { userIds, skipUsers = [], samlGroupIds }: UserFilter,
) =>
  eb.and([
    ...(userIds === undefined ? [] : [userIdIn(eb, userIds)]),
    ...(samlGroupIds === undefined ? [] : [eb('member.userId', 'in', selectSamlUsers(eb, samlGroupIds))]),
    ...(skipUsers.length ? [eb('member.userId', 'not in', skipUsers)] : []),
  ])
