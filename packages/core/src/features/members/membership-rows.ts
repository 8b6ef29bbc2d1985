import type { Kysely } from 'kysely'
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

/** Every membership that reaches a project or a group, several for some users. */
const reachingRows = (ctx: Context, subject: Container) =>
  subject.kind === 'group'
    ? lineageRows(ctx, subject.group.id).unionAll(sharedToGroup(ctx, subject.group.id))
    : directRows(ctx, subject)
        .unionAll(lineageRows(ctx, subject.project.namespaceId))
        .unionAll(sharedToGroup(ctx, subject.project.namespaceId))
        .unionAll(invitedRows(ctx).where('share.projectId', '=', subject.project.id))

/** One membership a user: one that still counts before an expired one, then the nearest, then the highest. */
export const nearestRows = (ctx: Context, subject: Container) =>
  ctx.db
    .selectFrom(
      ctx.db
        .selectFrom(reachingRows(ctx, subject).as('reaching'))
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
