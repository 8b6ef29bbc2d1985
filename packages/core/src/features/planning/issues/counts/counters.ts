import { type Expression, expressionBuilder, type Kysely, type SqlBool } from 'kysely'
import {
  canReadConfidential,
  confidentialCounts,
  type IssueScope,
  readableCounts,
  selectOwnConfidentialIssues,
} from '../../../../access/issue-rows.ts'
import type { Database } from '../../../../contract/database.ts'
import { tallyKinds } from '../../../../db/counters/columns.ts'
import { getUserId } from '../../../../kernel/actor.ts'
import { type Context, today } from '../../../../kernel/context.ts'
import { preparedQuery } from '../../../../kernel/prepared-query.ts'
import type { Condition, Tally } from '../conditions.ts'

type PredicateContext = Pick<Context, 'db' | 'actor' | 'now'>

interface CounterParameters {
  readonly userId: number
  readonly today: string
  /** Id of the group or project; 0 for the instance. */
  readonly scopeId: number
}

/** Null when there is no row to sum. */
interface CounterSums {
  readonly opened: number | null
  readonly closed: number | null
  /** Confidential issues of the projects in which the current user can read all of them. */
  readonly confidentialOpened: number | null
  readonly confidentialClosed: number | null
}

/** Sums the issues that the current user may read without being their author or assignee: one row. */
const selectSums = (ctx: PredicateContext, scope: IssueScope, table: 'issueCount' | 'issueTally') =>
  ctx.db
    .selectFrom('issueCount')
    .where(readableCounts(ctx, scope))
    .select((eb) => {
      const canReadSecret = confidentialCounts(ctx, scope)(eb)
      const sum = (column: string) => eb.fn.sum<number | null>(`${table}.${column}` as 'issueCount.opened')
      return [
        sum('opened').as('opened'),
        sum('closed').as('closed'),
        sum('confidentialOpened').filterWhere(canReadSecret).as('confidentialOpened'),
        sum('confidentialClosed').filterWhere(canReadSecret).as('confidentialClosed'),
      ]
    })
    .$castTo<CounterSums>()

/** Selects one project with confidential issues that the current user can read only as their author or assignee. */
const selectProjectWithOwnConfidential = (ctx: PredicateContext, scope: IssueScope) =>
  ctx.db
    .selectFrom('issueTally')
    .crossJoin('issueCount')
    .whereRef('issueCount.projectId', '=', 'issueTally.projectId')
    .where('issueTally.kind', 'in', [tallyKinds.author, tallyKinds.assignee])
    .where('issueTally.subjectId', '=', getUserId(ctx.actor))
    .where((eb) => eb.or([eb('issueTally.confidentialOpened', '>', 0), eb('issueTally.confidentialClosed', '>', 0)]))
    .where(readableCounts(ctx, scope)(expressionBuilder()))
    .where((eb) => eb.not(confidentialCounts(ctx, scope)(expressionBuilder())))
    .select('issueTally.projectId')
    .limit(1)

/** The queries read nothing of the actor but its class and its id. */
type ActorClass = 'administrator' | 'insider' | 'external'

/** An actor who can read all issues of a project counts like an administrator there. */
const classifyActor = (ctx: Context, scope: IssueScope): ActorClass => {
  const { actor } = ctx
  if (canReadConfidential(ctx, scope)) return 'administrator'
  return actor.kind === 'user' && !actor.external ? 'insider' : 'external'
}

/** A context with the parameters of the prepared query in place of the user id and the day. */
const createQueryContext = (
  db: Kysely<Database>,
  actorClass: ActorClass,
  { userId, today }: CounterParameters,
): PredicateContext => {
  const flags = { admin: actorClass === 'administrator', external: actorClass === 'external', bot: false }
  return {
    db,
    actor: { kind: 'user', id: userId, username: '', name: '', scopes: null, ...flags },
    now: { slice: () => today } as unknown as string,
  }
}

const prepareQueries = (actorClass: ActorClass, kind: IssueScope['kind']) => {
  const toScope = ({ scopeId: id }: CounterParameters) =>
    ({ kind, group: { id }, project: { id }, access: 0 }) as IssueScope
  return {
    sums: preparedQuery((db, parameters: CounterParameters) =>
      selectSums(createQueryContext(db, actorClass, parameters), toScope(parameters), 'issueCount'),
    ),
    ownConfidential: preparedQuery((db, parameters: CounterParameters) =>
      selectProjectWithOwnConfidential(createQueryContext(db, actorClass, parameters), toScope(parameters)),
    ),
  }
}

const prepareByScope = (actorClass: ActorClass) => ({
  instance: prepareQueries(actorClass, 'instance'),
  group: prepareQueries(actorClass, 'group'),
  project: prepareQueries(actorClass, 'project'),
})
const preparedQueries = {
  administrator: prepareByScope('administrator'),
  insider: prepareByScope('insider'),
  external: prepareByScope('external'),
}

const getScopeId = (scope: IssueScope): number => {
  if (scope.kind === 'instance') return 0
  return scope.kind === 'group' ? scope.group.id : scope.project.id
}

const getQueries = (ctx: Context, scope: IssueScope) => preparedQueries[classifyActor(ctx, scope)][scope.kind]

const getParameters = (ctx: Context, scope: IssueScope): CounterParameters => ({
  userId: getUserId(ctx.actor),
  today: today(ctx),
  scopeId: getScopeId(scope),
})

export type StateCounts = { readonly opened: number; readonly closed: number }

/** Counts the current user's own confidential issues in projects where the current user cannot read those of others. */
const countOwnConfidential = (ctx: Context, scope: IssueScope, condition?: Condition) => {
  const issues = ctx.db
    .selectFrom(selectOwnConfidentialIssues(ctx).as('own'))
    .innerJoin('issueCount', 'issueCount.projectId', 'own.projectId')
    .innerJoin('issue', 'issue.id', 'own.issueId')
    .where(readableCounts(ctx, scope)(expressionBuilder()))
    .where((eb) => eb.not(confidentialCounts(ctx, scope)(expressionBuilder())))
  const row = { id: 'issue.id', projectId: 'issue.projectId', confidential: 'issue.confidential' }
  const matching = condition
    ? issues.where((_eb) => condition.toExpression(expressionBuilder(), row, true) as unknown as Expression<SqlBool>)
    : issues
  return matching
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('own.closed', '=', false).as('opened'),
      eb.fn.countAll<number>().filterWhere('own.closed', '=', true).as('closed'),
    ])
    .execute()
}

const combineCounts = async (
  ctx: Context,
  scope: IssueScope,
  confidential: boolean | undefined,
  sums: readonly CounterSums[],
  condition?: Condition,
): Promise<readonly StateCounts[]> => {
  const counts: StateCounts[] = []
  for (const { opened, closed, confidentialOpened, confidentialClosed } of sums) {
    if (confidential !== true) counts.push({ opened: Number(opened ?? 0), closed: Number(closed ?? 0) })
    if (confidential !== false)
      counts.push({ opened: Number(confidentialOpened ?? 0), closed: Number(confidentialClosed ?? 0) })
  }
  if (confidential === false || ctx.actor.kind !== 'user' || canReadConfidential(ctx, scope)) return counts
  const projects = await getQueries(ctx, scope).ownConfidential(ctx, getParameters(ctx, scope))
  return projects.length ? [...counts, ...(await countOwnConfidential(ctx, scope, condition))] : counts
}

/** Counts the issues of the scope that the current user may read, from the counters of its projects. */
export const countFromCounters = async (
  ctx: Context,
  scope: IssueScope,
  confidential: boolean | undefined,
): Promise<readonly StateCounts[]> =>
  combineCounts(ctx, scope, confidential, await getQueries(ctx, scope).sums(ctx, getParameters(ctx, scope)))

/** Counts the same for one label, assignee, author or milestone. `condition` is the same filter on a single issue. */
export const countFromTallies = async (
  ctx: Context,
  scope: IssueScope,
  { kind, subjectIds }: Tally,
  condition: Condition,
  confidential: boolean | undefined,
): Promise<readonly StateCounts[]> => {
  const sums = await selectSums(ctx, scope, 'issueTally')
    .innerJoin('issueTally', 'issueTally.projectId', 'issueCount.projectId')
    .where('issueTally.kind', '=', tallyKinds[kind])
    .where('issueTally.subjectId', 'in', subjectIds(ctx) as never)
    .execute()
  return combineCounts(ctx, scope, confidential, sums, condition)
}

/** Counts the issues of a label or an assignee in all projects, confidential ones left out. */
export const countTally = async (ctx: Context, { kind, subjectIds }: Tally): Promise<number> => {
  const row = await ctx.db
    .selectFrom('issueTally')
    .where('kind', '=', tallyKinds[kind])
    .where('subjectId', 'in', subjectIds(ctx) as never)
    .select((eb) => [eb.fn.sum<number | null>('opened').as('opened'), eb.fn.sum<number | null>('closed').as('closed')])
    .executeTakeFirst()
  return Number(row?.opened ?? 0) + Number(row?.closed ?? 0)
}
