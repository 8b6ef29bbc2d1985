import type { Expression, Kysely, SqlBool } from 'kysely'
import { type IssuePlace, openCounts, ownSecrets, readsSecrets, secretCounts } from '../../access/issue-rows.ts'
import type { Database } from '../../database.ts'
import { tallyKinds } from '../../db/migrations/issue-counters.ts'
import { personId } from '../../kernel/actor.ts'
import { type Context, today } from '../../kernel/context.ts'
import { prepared } from '../../kernel/prepared.ts'
import type { Condition, Tally } from './conditions.ts'

type Asking = Pick<Context, 'db' | 'actor' | 'now'>

interface Slots {
  readonly userId: number
  readonly today: string
  /** The group or the project; 0 for the platform as a whole. */
  readonly placeId: number
}

interface Sums {
  readonly opened: number | null
  readonly closed: number | null
  /** Confidential issues of the projects in which the caller reads all of them. */
  readonly secretOpened: number | null
  readonly secretClosed: number | null
}

/** Sums of what the caller may read whoever has written it: one row. */
const sumsOf = (ctx: Asking, place: IssuePlace, table: 'issueCount' | 'issueTally') => {
  const counts = ctx.db.selectFrom('issueCount').where(openCounts(ctx, place))
  return counts
    .select((eb) => {
      const secret = secretCounts(ctx, place)(eb)
      const sum = (column: string) => eb.fn.sum<number | null>(`${table}.${column}` as 'issueCount.opened')
      return [
        sum('opened').as('opened'),
        sum('closed').as('closed'),
        sum('secretOpened').filterWhere(secret).as('secretOpened'),
        sum('secretClosed').filterWhere(secret).as('secretClosed'),
      ]
    })
    .$castTo<Sums>()
}

/** Projects with confidential issues that the caller has written or is assigned to, and does not read anyway. */
const withOwnSecrets = (ctx: Asking, place: IssuePlace) =>
  ctx.db
    .selectFrom('issueTally')
    .crossJoin('issueCount')
    .whereRef('issueCount.projectId', '=', 'issueTally.projectId')
    .where('issueTally.kind', 'in', [tallyKinds.author, tallyKinds.assignee])
    .where('issueTally.subjectId', '=', personId(ctx.actor))
    .where((eb) => eb.or([eb('issueTally.secretOpened', '>', 0), eb('issueTally.secretClosed', '>', 0)]))
    .where((eb) => openCounts(ctx, place)(eb as never))
    .where((eb) => eb.not(secretCounts(ctx, place)(eb as never)))
    .select('issueTally.projectId')
    .limit(1)

type Asker = 'administrator' | 'insider' | 'external'

/** In one project, who reads all of it counts as an administrator does. */
const askerOf = (ctx: Context, place: IssuePlace): Asker => {
  const { actor } = ctx
  if (readsSecrets(ctx, place)) return 'administrator'
  return actor.kind === 'user' && !actor.external ? 'insider' : 'external'
}

/** An actor whose id and day are slots: the conditions ask nothing else of it. */
const asking = (db: Kysely<Database>, asker: Asker, { userId, today }: Slots): Asking => {
  const admin = asker === 'administrator'
  const about = { username: '', name: '', scopes: null, admin, external: asker === 'external' }
  return {
    db,
    actor: { kind: 'user' as const, id: userId, ...about },
    now: { slice: () => today } as unknown as string,
  }
}

const queries = (asker: Asker, kind: IssuePlace['kind']) => {
  const asked = (db: Kysely<Database>, slots: Slots) => ({
    ctx: asking(db, asker, slots),
    place: { kind, group: { id: slots.placeId }, project: { id: slots.placeId }, access: 0 } as IssuePlace,
  })
  return {
    sums: prepared((db, slots: Slots) => {
      const { ctx, place } = asked(db, slots)
      return sumsOf(ctx, place, 'issueCount')
    }),
    ownSecrets: prepared((db, slots: Slots) => {
      const { ctx, place } = asked(db, slots)
      return withOwnSecrets(ctx, place)
    }),
  }
}

const kinds = ['instance', 'group', 'project'] as const
const byPlace = (asker: Asker) => new Map(kinds.map((kind) => [kind, queries(asker, kind)] as const))
const compiled = {
  administrator: byPlace('administrator'),
  insider: byPlace('insider'),
  external: byPlace('external'),
}

const idOf = (place: IssuePlace): number => {
  if (place.kind === 'instance') return 0
  return place.kind === 'group' ? place.group.id : place.project.id
}

export type Counts = { readonly opened: number; readonly closed: number }

/** The caller's own confidential issues in projects of which they do not read the others'. */
const ownCounts = (ctx: Context, place: IssuePlace, condition?: Condition) => {
  const own = ctx.db
    .selectFrom(ownSecrets(ctx).as('own'))
    .innerJoin('issueCount', 'issueCount.projectId', 'own.projectId')
    .innerJoin('issue', 'issue.id', 'own.issueId')
    .where((eb) => openCounts(ctx, place)(eb as never))
    .where((eb) => eb.not(secretCounts(ctx, place)(eb as never)))
  const row = { id: 'issue.id', projectId: 'issue.projectId', confidential: 'issue.confidential' }
  const wanted = condition
    ? own.where((eb) => condition.holds(eb as never, row, true) as unknown as Expression<SqlBool>)
    : own
  return wanted
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('own.closed', '=', false).as('opened'),
      eb.fn.countAll<number>().filterWhere('own.closed', '=', true).as('closed'),
    ])
    .execute()
}

const counted = async (
  ctx: Context,
  place: IssuePlace,
  confidential: boolean | undefined,
  sums: () => Promise<readonly Sums[]>,
  condition?: Condition,
): Promise<readonly Counts[]> => {
  const found: Counts[] = []
  for (const row of await sums()) {
    if (confidential !== true) found.push({ opened: Number(row.opened ?? 0), closed: Number(row.closed ?? 0) })
    if (confidential === false) continue
    found.push({ opened: Number(row.secretOpened ?? 0), closed: Number(row.secretClosed ?? 0) })
  }
  if (confidential === false || ctx.actor.kind !== 'user') return found
  const slots = { userId: personId(ctx.actor), today: today(ctx), placeId: idOf(place) }
  if (readsSecrets(ctx, place)) return found
  const ownSecrets = compiled[askerOf(ctx, place)].get(place.kind)?.ownSecrets
  const some = ownSecrets ? await ownSecrets(ctx, slots) : []
  return some.length ? [...found, ...(await ownCounts(ctx, place, condition))] : found
}

/** Issues of the place that the caller may read, from the counters of its projects. */
export const fromCounters = (
  ctx: Context,
  place: IssuePlace,
  confidential: boolean | undefined,
): Promise<readonly Counts[]> => {
  const query = compiled[askerOf(ctx, place)].get(place.kind)?.sums as ReturnType<typeof queries>['sums']
  const slots = { userId: personId(ctx.actor), today: today(ctx), placeId: idOf(place) }
  return counted(ctx, place, confidential, async () => query(ctx, slots))
}

/** The same of a label, an assignee, an author or a milestone; `condition` asks for it of one issue. */
export const fromTallies = (
  ctx: Context,
  place: IssuePlace,
  { kind, among }: Tally,
  condition: Condition,
  confidential: boolean | undefined,
): Promise<readonly Counts[]> => {
  const sums = async () =>
    sumsOf(ctx, place, 'issueTally')
      .innerJoin('issueTally', 'issueTally.projectId', 'issueCount.projectId')
      .where('issueTally.kind', '=', tallyKinds[kind])
      .where('issueTally.subjectId', 'in', among(ctx) as never)
      .execute()
  return counted(ctx, place, confidential, sums, condition)
}
