import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { smaller } from '../db/functions.ts'
import { personId } from '../kernel/actor.ts'
import { type Context, today } from '../kernel/context.ts'
import { prepared } from '../kernel/prepared.ts'
import { Access } from './levels.ts'

interface Place {
  readonly userId: number
  readonly namespaceId: number
  readonly today: string
}

/** Memberships that count today: expiry holds from the start of its day. */
const activeMembers = (db: Kysely<Database>, { userId, today }: Place) =>
  db
    .selectFrom('member')
    .where('member.userId', '=', userId)
    .where((eb) => eb.or([eb('member.expiresAt', 'is', null), eb('member.expiresAt', '>', today)]))

/** Levels held on a namespace: its own, those of all its ancestors, and those that come through shares of any of them. */
const namespaceLevels = (db: Kysely<Database>, place: Place) =>
  activeMembers(db, place)
    .innerJoin('namespaceLineage as up', 'up.ancestorId', 'member.groupId')
    .where('up.namespaceId', '=', place.namespaceId)
    .select('member.accessLevel as level')
    .unionAll(
      activeMembers(db, place)
        .innerJoin('namespaceLineage as invited', 'invited.ancestorId', 'member.groupId')
        .innerJoin('share', 'share.withGroupId', 'invited.namespaceId')
        .innerJoin('namespaceLineage as up', 'up.ancestorId', 'share.groupId')
        .where('up.namespaceId', '=', place.namespaceId)
        .where((eb) => eb.or([eb('share.expiresAt', 'is', null), eb('share.expiresAt', '>', place.today)]))
        .select(({ ref }) => smaller(ref('member.accessLevel'), ref('share.accessLevel')).as('level')),
    )

const groupLevel = prepared((db, place: Place) =>
  db.selectFrom(namespaceLevels(db, place).as('levels')).select((eb) => eb.fn.max<number | null>('level').as('level')),
)

const projectLevel = prepared((db, place: Place & { projectId: number }) =>
  db
    .selectFrom(
      namespaceLevels(db, place)
        .unionAll(activeMembers(db, place).where('member.projectId', '=', place.projectId).select('accessLevel as level'))
        .unionAll(
          activeMembers(db, place)
            .innerJoin('namespaceLineage as invited', 'invited.ancestorId', 'member.groupId')
            .innerJoin('share', 'share.withGroupId', 'invited.namespaceId')
            .where('share.projectId', '=', place.projectId)
            .where((eb) => eb.or([eb('share.expiresAt', 'is', null), eb('share.expiresAt', '>', place.today)]))
            .select(({ ref }) => smaller(ref('member.accessLevel'), ref('share.accessLevel')).as('level')),
        )
        .unionAll(
          db
            .selectFrom('namespace')
            .where('namespace.id', '=', place.namespaceId)
            .where('namespace.ownerId', '=', place.userId)
            .select((eb) => eb.lit<number>(Access.owner).as('level')),
        )
        .as('levels'),
    )
    .select((eb) => eb.fn.max<number | null>('level').as('level')),
)

/** The actor's level on a group: the highest of direct, inherited and shared memberships; 0 for none. */
export async function accessToGroup(ctx: Context, groupId: number): Promise<number> {
  const userId = personId(ctx.actor)
  if (!userId) return Access.none
  const [row] = await groupLevel(ctx, { userId, namespaceId: groupId, today: today(ctx) })
  return row?.level ?? Access.none
}

/**
 * The actor's level on a project: the highest of direct, inherited and shared memberships; 0 for none. The owner of a
 * personal namespace has level 50 there, although 40 is what the API reports.
 */
export async function accessToProject(ctx: Context, project: { id: number; namespaceId: number }): Promise<number> {
  const userId = personId(ctx.actor)
  if (!userId) return Access.none
  const place = { userId, namespaceId: project.namespaceId, projectId: project.id, today: today(ctx) }
  const [row] = await projectLevel(ctx, place)
  return row?.level ?? Access.none
}
