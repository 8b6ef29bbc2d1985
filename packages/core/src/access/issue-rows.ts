import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Database } from '../contract/database.ts'
import type { Subjects } from '../contract/subjects.ts'
import { withoutIndex } from '../db/functions.ts'
import { getUserId, isAdministrator } from '../kernel/actor.ts'
import type { Context } from '../kernel/context.ts'
import { directProjectIdsWithAccess, namespaceIdsWithAccess } from './access-conditions.ts'
import { Access } from './levels.ts'
import { selectHiddenProjects } from './unfinished-import.ts'

/**
 * `issue.read` as conditions on the counter tables, so that counting a million issues does not read the issues. A counter
 * holds the project columns that the rule uses, so each project is checked once, without reading the project. A property
 * test compares the counts with the rule applied to each issue.
 */

/** The scope in which issues are counted. */
export type IssueScope = Subjects['instance'] | Subjects['group'] | Subjects['project']

// biome-ignore lint/suspicious/noExplicitAny: rows of any table that has the named columns
type RowExpressions = ExpressionBuilder<any, any>

type CountExpressions = ExpressionBuilder<Database, 'issueCount'>
type PredicateContext = Pick<Context, 'db' | 'actor' | 'now'>

/** On rows of `issueCount`: the actor has at least `level` on the project. */
const hasAccessLevel = (ctx: PredicateContext, eb: CountExpressions, level: number) =>
  eb.or([
    eb('issueCount.namespaceId', 'in', namespaceIdsWithAccess(ctx, level)),
    eb(withoutIndex('issueCount.projectId'), 'in', directProjectIdsWithAccess(ctx, level)),
  ])

const isOpenToActor = (ctx: PredicateContext, eb: CountExpressions): Expression<SqlBool> => {
  const { actor } = ctx
  if (isAdministrator(actor)) return eb('issueCount.issuesAccessLevel', '!=', 'disabled')
  const visible = actor.kind === 'user' && !actor.external ? (['public', 'internal'] as const) : (['public'] as const)
  const openToNonMembers = eb.and([
    eb('issueCount.issuesAccessLevel', '=', 'enabled'),
    eb('issueCount.visibility', 'in', [...visible]),
  ])
  const shown = eb(withoutIndex('issueCount.projectId'), 'not in', selectHiddenProjects(ctx))
  if (actor.kind !== 'user') return eb.and([openToNonMembers, shown])
  const openToMembers = eb.and([
    eb('issueCount.issuesAccessLevel', '!=', 'disabled'),
    hasAccessLevel(ctx, eb, Access.guest),
  ])
  return eb.and([eb.or([openToNonMembers, openToMembers]), shown])
}

/** On rows of `issueCount`: the project is in scope, and the actor can read its issues. */
export const readableCounts =
  (ctx: PredicateContext, scope: IssueScope) =>
  (eb: CountExpressions): Expression<SqlBool> => {
    // Access to a single project is checked before its issues are counted.
    if (scope.kind === 'project') return eb('issueCount.projectId', '=', scope.project.id)
    if (scope.kind === 'instance') return isOpenToActor(ctx, eb)
    const below = ctx.db.selectFrom('namespaceLineage').where('ancestorId', '=', scope.group.id).select('namespaceId')
    return eb.and([eb('issueCount.namespaceId', 'in', below), isOpenToActor(ctx, eb)])
  }

/** On rows of `issueCount`: the actor can read all confidential issues of the project. */
export const confidentialCounts =
  (ctx: PredicateContext, scope: IssueScope) =>
  (eb: CountExpressions): Expression<SqlBool> => {
    const readsAll = canReadConfidential(ctx, scope)
    return readsAll === undefined ? hasAccessLevel(ctx, eb, Access.reporter) : eb.lit(readsAll)
  }

/** Whether the actor can read the issues of all projects except those with disabled issues. */
const canReadAlmostAll = ({ actor }: PredicateContext, scope: IssueScope) =>
  scope.kind === 'instance' && isAdministrator(actor)

/** The row's project is readable: not one of the few with disabled issues, or one of the readable projects. */
const isInOpenProject =
  (ctx: PredicateContext, scope: IssueScope, projectId: string) =>
  (eb: RowExpressions): Expression<SqlBool> => {
    const projects = ctx.db.selectFrom('issueCount').select('issueCount.projectId')
    return canReadAlmostAll(ctx, scope)
      ? eb(withoutIndex(projectId), 'not in', projects.where('issueCount.issuesAccessLevel', '=', 'disabled'))
      : eb(withoutIndex(projectId), 'in', projects.where(readableCounts(ctx, scope)))
  }

/** Whether the actor can read all confidential issues in scope; undefined when it depends on the project. */
export const canReadConfidential = ({ actor }: PredicateContext, scope: IssueScope): boolean | undefined => {
  if (isAdministrator(actor)) return true
  if (actor.kind !== 'user') return false
  return scope.kind === 'project' ? scope.access >= Access.reporter : undefined
}

/** The `issueFact` rows of confidential issues that the actor wrote or is assigned to. */
export const selectOwnConfidentialIssues = ({ db, actor }: PredicateContext) =>
  db
    .selectFrom('issue')
    .innerJoin('issueFact', 'issueFact.issueId', 'issue.id')
    .where('issue.authorId', '=', getUserId(actor))
    // A literal instead of a parameter: SQLite uses the partial index only when its condition matches.
    .where((eb) => eb('issue.confidential', '=', eb.lit(true)))
    .select(['issueFact.issueId', 'issueFact.projectId', 'issueFact.closed'])
    .union(
      db
        .selectFrom('issueAssignee')
        .innerJoin('issueFact', 'issueFact.issueId', 'issueAssignee.issueId')
        .where('issueAssignee.userId', '=', getUserId(actor))
        .where('issueFact.confidential', '=', true)
        .select(['issueFact.issueId', 'issueFact.projectId', 'issueFact.closed']),
    )

/** The columns that the rule uses, with their tables. */
export interface IssueRowColumns {
  readonly id: string
  readonly projectId: string
  readonly confidential: string
}

/** `issue.read` on rows that the query does not find by their project. */
export const readableIssueRows =
  (ctx: PredicateContext, scope: IssueScope, row: IssueRowColumns) =>
  (eb: RowExpressions): Expression<SqlBool> => {
    const inScope =
      scope.kind === 'project'
        ? eb(row.projectId, '=', scope.project.id)
        : isInOpenProject(ctx, scope, row.projectId)(eb)
    const readsConfidential = canReadConfidential(ctx, scope)
    if (readsConfidential) return inScope
    const reporter = ctx.db
      .selectFrom('issueCount')
      .where((counts) => hasAccessLevel(ctx, counts, Access.reporter))
      .select('issueCount.projectId')
    return eb.and([
      inScope,
      eb.or([
        eb(row.confidential, '=', false),
        ...(readsConfidential === undefined ? [eb(withoutIndex(row.projectId), 'in', reporter)] : []),
        eb(
          withoutIndex(row.id),
          'in',
          ctx.db.selectFrom(selectOwnConfidentialIssues(ctx).as('own')).select('own.issueId'),
        ),
      ]),
    ])
  }
