import type { Kysely } from 'kysely'
import {
  type IssuePlace,
  inOpenProject,
  ownSecrets,
  projectsWithIssues,
  readsSecrets,
  secretProjects,
} from '../../access/issue-rows.ts'
import type { Database } from '../../database.ts'
import { personId } from '../../kernel/actor.ts'
import { type Context, today } from '../../kernel/context.ts'
import { prepared } from '../../kernel/prepared.ts'

interface Slots {
  readonly userId: number
  readonly today: string
  /** The group or the project; 0 for the platform as a whole. */
  readonly placeId: number
}

interface Sums {
  readonly secrets: boolean
  readonly opened: number
  readonly closed: number
  readonly secretOpened: number
  readonly secretClosed: number
  readonly ownOpened: number | null
  readonly ownClosed: number | null
}

type Asker = 'administrator' | 'insider' | 'external'

/** In one project, who reads all of it counts as an administrator does. */
const askerOf = (ctx: Context, place: IssuePlace): Asker => {
  const { actor } = ctx
  if (readsSecrets(ctx, place)) return 'administrator'
  return actor.kind === 'user' && !actor.external ? 'insider' : 'external'
}

/** An actor whose id and day are slots: the conditions ask nothing else of it. */
const asking = (db: Kysely<Database>, asker: Asker, { userId, today }: Slots) => {
  const admin = asker === 'administrator'
  const about = { username: '', name: '', scopes: null, admin, external: asker === 'external' }
  return {
    db,
    actor: { kind: 'user' as const, id: userId, ...about },
    now: { slice: () => today } as unknown as string,
  }
}

const confidentialOwn = (ctx: ReturnType<typeof asking>) =>
  ctx.db
    .selectFrom(ownSecrets(ctx).as('mine'))
    .groupBy('mine.projectId')
    .select((eb) => [
      'mine.projectId',
      eb.fn.countAll<number>().filterWhere('mine.state', '=', 'opened').as('opened'),
      eb.fn.countAll<number>().filterWhere('mine.state', '=', 'closed').as('closed'),
    ])

/**
 * Sums over the counters of the place: one row for the projects whose confidential issues the caller reads, one for the
 * others, with the caller's own confidential issues there.
 */
const sums = (asker: Asker, kind: IssuePlace['kind']) =>
  prepared((db, slots: Slots) => {
    const ctx = asking(db, asker, slots)
    const place = { kind, group: { id: slots.placeId }, project: { id: slots.placeId }, access: 0 } as IssuePlace
    return db
      .selectFrom('issueCount')
      .leftJoin(confidentialOwn(ctx).as('own'), 'own.projectId', 'issueCount.projectId')
      .where((eb) => {
        // Whoever counts in one project has been let in already.
        if (kind === 'project') return eb('issueCount.projectId', '=', slots.placeId)
        if (kind === 'instance') return inOpenProject(ctx, place, 'issueCount.projectId')(eb as never)
        return eb('issueCount.projectId', 'in', projectsWithIssues(ctx, place))
      })
      .select((eb) => [
        (kind === 'project' || asker === 'administrator'
          ? eb.lit(asker === 'administrator')
          : eb('issueCount.projectId', 'in', secretProjects(ctx))
        ).as('secrets'),
        eb.fn.sum('issueCount.opened').as('opened'),
        eb.fn.sum('issueCount.closed').as('closed'),
        eb.fn.sum('issueCount.secretOpened').as('secretOpened'),
        eb.fn.sum('issueCount.secretClosed').as('secretClosed'),
        eb.fn.sum('own.opened').as('ownOpened'),
        eb.fn.sum('own.closed').as('ownClosed'),
      ])
      .groupBy('secrets')
      .$castTo<Sums>()
  })

const kinds = ['instance', 'group', 'project'] as const
const byPlace = (asker: Asker) => kinds.map((kind) => [kind, sums(asker, kind)] as const)

const compiled = {
  administrator: new Map(byPlace('administrator')),
  insider: new Map(byPlace('insider')),
  external: new Map(byPlace('external')),
}

const idOf = (place: IssuePlace): number => {
  if (place.kind === 'instance') return 0
  return place.kind === 'group' ? place.group.id : place.project.id
}

/** Issues of the place that the caller may read, from the counters of its projects. */
export async function fromCounters(
  ctx: Context,
  place: IssuePlace,
  confidential: boolean | undefined,
): Promise<readonly { opened: number; closed: number }[]> {
  const query = compiled[askerOf(ctx, place)].get(place.kind) as ReturnType<typeof sums>
  const rows = await query(ctx, { userId: personId(ctx.actor), today: today(ctx), placeId: idOf(place) })
  return rows.flatMap((row) => [
    ...(confidential === true ? [] : [{ opened: row.opened, closed: row.closed }]),
    ...(confidential === false
      ? []
      : [
          row.secrets
            ? { opened: row.secretOpened, closed: row.secretClosed }
            : { opened: row.ownOpened ?? 0, closed: row.ownClosed ?? 0 },
        ]),
  ])
}
