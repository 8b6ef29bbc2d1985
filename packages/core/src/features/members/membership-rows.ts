import type { Expression, ExpressionBuilder, Kysely } from 'kysely'
import type { Database } from '../../database.ts'
import { smaller } from '../../db/functions.ts'
import { type Context, today } from '../../kernel/context.ts'
import type { Subjects } from '../../policy.ts'

type Container = Subjects['project'] | Subjects['group']

/** Memberships as rows of one form, wherever they come from. */
const heldBy = (db: Kysely<Database>, day: string) =>
  db
    .selectFrom('member')
    .select(['member.id', 'member.userId', 'member.groupId', 'member.accessLevel', 'member.expiresAt'])
    .select(['member.syncedLevel', 'member.overriddenAt'])
    .select((eb) => eb.case().when('member.expiresAt', '<=', day).then(1).else(0).end().as('stale'))

/** Direct memberships. Expired ones stay until the daily job ends them, so that they can be found and prolonged. */
export const directRows = (ctx: Context, subject: Container) =>
  heldBy(ctx.db, today(ctx))
    .where((eb) =>
      subject.kind === 'project'
        ? eb('member.projectId', '=', subject.project.id)
        : eb('member.groupId', '=', subject.group.id),
    )
    .select((eb) => eb.lit<number>(0).as('distance'))

/** Memberships of a group and of all groups above; the nearest group has distance 1. */
const lineageRows = (ctx: Context, namespaceId: number) =>
  heldBy(ctx.db, today(ctx))
    .innerJoin('namespaceLineage as up', 'up.ancestorId', 'member.groupId')
    .where('up.namespaceId', '=', namespaceId)
    .select((eb) => eb('up.depth', '+', 1).as('distance'))

/** Further than any group above. */
const sharedDistance = 1_000_000

/** Memberships of invited groups, at most at the level of the share. */
const invitedRows = (ctx: Context) =>
  ctx.db
    .selectFrom('member')
    .innerJoin('namespaceLineage as invited', 'invited.ancestorId', 'member.groupId')
    .innerJoin('share', 'share.withGroupId', 'invited.namespaceId')
    .where((eb) => eb.or([eb('share.expiresAt', 'is', null), eb('share.expiresAt', '>', today(ctx))]))
    .select(['member.id', 'member.userId', 'member.groupId'])
    .select(({ ref }) => smaller(ref('member.accessLevel'), ref('share.accessLevel')).as('accessLevel'))
    .select('member.expiresAt')
    .select((eb) => [
      eb.lit(null).$castTo<number | null>().as('syncedLevel'),
      eb.lit(null).$castTo<string | null>().as('overriddenAt'),
      eb.case().when('member.expiresAt', '<=', today(ctx)).then(1).else(0).end().as('stale'),
      eb.lit<number>(sharedDistance).as('distance'),
    ])

const sharedToGroup = (ctx: Context, namespaceId: number) =>
  invitedRows(ctx)
    .innerJoin('namespaceLineage as up', 'up.ancestorId', 'share.groupId')
    .where('up.namespaceId', '=', namespaceId)

/** Every membership of some users that reaches a project or a group, several for some of them. */
const reachingRows = (ctx: Context, subject: Container, users: UserIds) => {
  const theirs = (eb: ExpressionBuilder<Database, 'member'>) => anyOf(eb, users)
  const inGroup = (namespaceId: number) =>
    lineageRows(ctx, namespaceId).where(theirs).unionAll(sharedToGroup(ctx, namespaceId).where(theirs))
  return subject.kind === 'group'
    ? inGroup(subject.group.id)
    : directRows(ctx, subject)
        .where(theirs)
        .unionAll(inGroup(subject.project.namespaceId))
        .unionAll(invitedRows(ctx).where('share.projectId', '=', subject.project.id).where(theirs))
}

/** Ids of users: a list of them, or a query that finds them. */
export type UserIds = readonly number[] | Expression<{ userId: number }>

/** One membership each of some users: one that still counts before an expired one, then the nearest, then the highest. */
export const nearestRows = (ctx: Context, subject: Container, users: UserIds) =>
  ctx.db
    .selectFrom(
      ctx.db
        .selectFrom(reachingRows(ctx, subject, users).as('reaching'))
        .selectAll('reaching')
        .select((eb) =>
          eb.fn
            .agg<number>('row_number')
            .over((over) =>
              over
                .partitionBy('reaching.userId')
                .orderBy('reaching.stale')
                .orderBy('reaching.distance')
                .orderBy('reaching.accessLevel', 'desc')
                .orderBy('reaching.id'),
            )
            .as('place'),
        )
        .as('ranked'),
    )
    .where('ranked.place', '=', 1)
    .select(['ranked.id', 'ranked.userId', 'ranked.groupId', 'ranked.accessLevel', 'ranked.expiresAt'])
    .select(['ranked.syncedLevel', 'ranked.overriddenAt', 'ranked.stale', 'ranked.distance'])

/** Ids of the groups whose members are members here as well: those above, and invited ones with those above them. */
const reachingGroups = async (ctx: Context, subject: Container): Promise<readonly number[]> => {
  const [projectId, namespaceId] =
    subject.kind === 'project' ? [subject.project.id, subject.project.namespaceId] : [0, subject.group.id]
  const above = ctx.db.selectFrom('namespaceLineage').where('namespaceId', '=', namespaceId).select('ancestorId as id')
  const invited = ctx.db
    .selectFrom('share')
    .innerJoin('namespaceLineage as invited', 'invited.namespaceId', 'share.withGroupId')
    .where((eb) => eb.or([eb('share.expiresAt', 'is', null), eb('share.expiresAt', '>', today(ctx))]))
    .select('invited.ancestorId as id')
  const rows = await above
    .union(invited.where('share.groupId', 'in', above))
    .union(invited.where('share.projectId', '=', projectId))
    .execute()
  return rows.map(({ id }) => id)
}

/** Arms of one union: databases bound how many there may be, and merging them is worth it only while they are few. */
const mostArms = 50

/**
 * Ids of all members, each once. Every group is an arm of its own, read in order of user from an index: sorted by user, a
 * page of them costs the page and not all memberships.
 */
export async function memberIds(ctx: Context, subject: Container, among: readonly number[] | undefined) {
  const all = ctx.db.selectFrom('member').select('userId')
  const rows = among === undefined ? all : all.where((eb) => anyOf(eb, among))
  const groups = await reachingGroups(ctx, subject)
  const arms =
    groups.length > mostArms
      ? [rows.where('groupId', 'in', groups)]
      : groups.map((group) => rows.where('groupId', '=', group))
  if (subject.kind === 'project') arms.push(rows.where('projectId', '=', subject.project.id))
  return arms.reduce((union, arm) => union.union(arm))
}

/** A list without ids admits nobody; SQL has no empty lists. */
export const anyOf = (eb: ExpressionBuilder<Database, 'member'>, ids: UserIds) =>
  Array.isArray(ids) && !ids.length ? eb.lit(false) : eb('member.userId', 'in', ids as never)
