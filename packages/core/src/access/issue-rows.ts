import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Database } from '../database.ts'
import { opaque } from '../db/functions.ts'
import { isAdministrator, personId } from '../kernel/actor.ts'
import type { Context } from '../kernel/context.ts'
import type { Subjects } from '../policy.ts'
import { Access } from './levels.ts'
import { singleProjectsAt, spacesAt } from './predicates.ts'

/**
 * `issue.read` on rows that stand for issues without being them – counters, and facts that carry an issue's project and its
 * confidentiality – so that a million of them are counted by themselves. A counter holds what is judged of its project, so
 * each project is judged once, without being visited. A property test demands the same counts as asking for each issue alone.
 */

/** Where issues are counted. */
export type IssuePlace = Subjects['instance'] | Subjects['group'] | Subjects['project']

// biome-ignore lint/suspicious/noExplicitAny: rows of any table that has the named columns
type Rows = ExpressionBuilder<any, any>

type InCounts = ExpressionBuilder<Database, 'issueCount'>
type Asking = Pick<Context, 'db' | 'actor' | 'now'>

/** On rows of `issueCount`: the actor has at least `level` on the project. */
const heldAt = (ctx: Asking, eb: InCounts, level: number) =>
  eb.or([
    eb('issueCount.namespaceId', 'in', spacesAt(ctx, level)),
    eb(opaque('issueCount.projectId'), 'in', singleProjectsAt(ctx, level)),
  ])

const openTo = (ctx: Asking, eb: InCounts): Expression<SqlBool> => {
  const { actor } = ctx
  if (isAdministrator(actor)) return eb('issueCount.issuesAccessLevel', '!=', 'disabled')
  const shown = actor.kind === 'user' && !actor.external ? (['public', 'internal'] as const) : (['public'] as const)
  const toAll = eb.and([
    eb('issueCount.issuesAccessLevel', '=', 'enabled'),
    eb('issueCount.visibility', 'in', [...shown]),
  ])
  if (actor.kind !== 'user') return toAll
  return eb.or([toAll, eb.and([eb('issueCount.issuesAccessLevel', '!=', 'disabled'), heldAt(ctx, eb, Access.guest)])])
}

/** On rows of `issueCount`: the project is in the place, and its issues are open to the actor. */
export const openCounts =
  (ctx: Asking, place: IssuePlace) =>
  (eb: InCounts): Expression<SqlBool> => {
    // Whoever counts in one project has been let in already.
    if (place.kind === 'project') return eb('issueCount.projectId', '=', place.project.id)
    if (place.kind === 'instance') return openTo(ctx, eb)
    const below = ctx.db.selectFrom('namespaceLineage').where('ancestorId', '=', place.group.id).select('namespaceId')
    return eb.and([eb('issueCount.namespaceId', 'in', below), openTo(ctx, eb)])
  }

/** On rows of `issueCount`: the actor reads all confidential issues of the project. */
export const secretCounts =
  (ctx: Asking, place: IssuePlace) =>
  (eb: InCounts): Expression<SqlBool> => {
    const known = readsSecrets(ctx, place)
    return known === undefined ? heldAt(ctx, eb, Access.reporter) : eb.lit(known)
  }

/** Whether the actor reads the issues of every project there is, save those that are closed to everybody. */
const readsAlmostAll = ({ actor }: Asking, place: IssuePlace) => place.kind === 'instance' && isAdministrator(actor)

/** Rows that are only checked for their project: by the few closed projects, or by the set of open ones. */
const inOpenProject =
  (ctx: Asking, place: IssuePlace, projectId: string) =>
  (eb: Rows): Expression<SqlBool> => {
    const projects = ctx.db.selectFrom('issueCount').select('issueCount.projectId')
    return readsAlmostAll(ctx, place)
      ? eb(opaque(projectId), 'not in', projects.where('issueCount.issuesAccessLevel', '=', 'disabled'))
      : eb(opaque(projectId), 'in', projects.where(openCounts(ctx, place)))
  }

/** Whether the actor reads all confidential issues there, only some, or – unknown – depending on the project. */
export const readsSecrets = ({ actor }: Asking, place: IssuePlace): boolean | undefined => {
  if (isAdministrator(actor)) return true
  if (actor.kind !== 'user') return false
  return place.kind === 'project' ? place.access >= Access.reporter : undefined
}

/** The confidential issues that the actor has written or is assigned to: rows of `issueFact`. */
export const ownSecrets = ({ db, actor }: Asking) =>
  db
    .selectFrom('issue')
    .innerJoin('issueFact', 'issueFact.issueId', 'issue.id')
    .where('issue.authorId', '=', personId(actor))
    // Written out, so that it is seen to be the condition of the index.
    .where((eb) => eb('issue.confidential', '=', eb.lit(true)))
    .select(['issueFact.issueId', 'issueFact.projectId', 'issueFact.closed'])
    .union(
      db
        .selectFrom('issueAssignee')
        .innerJoin('issueFact', 'issueFact.issueId', 'issueAssignee.issueId')
        .where('issueAssignee.userId', '=', personId(actor))
        .where('issueFact.confidential', '=', true)
        .select(['issueFact.issueId', 'issueFact.projectId', 'issueFact.closed']),
    )

/** Names of the columns in which rows carry what the rule asks. */
export interface IssueRow {
  readonly id: string
  readonly projectId: string
  readonly confidential: string
}

/** The rule itself, on rows that are reached by another way than their project, and only checked for it. */
export const readableIssueRows =
  (ctx: Asking, place: IssuePlace, row: IssueRow) =>
  (eb: Rows): Expression<SqlBool> => {
    const inPlace =
      place.kind === 'project' ? eb(row.projectId, '=', place.project.id) : inOpenProject(ctx, place, row.projectId)(eb)
    const secrets = readsSecrets(ctx, place)
    if (secrets) return inPlace
    const reporter = ctx.db
      .selectFrom('issueCount')
      .where((counts) => heldAt(ctx, counts, Access.reporter))
      .select('issueCount.projectId')
    return eb.and([
      inPlace,
      eb.or([
        eb(row.confidential, '=', false),
        ...(secrets === undefined ? [eb(opaque(row.projectId), 'in', reporter)] : []),
        eb(opaque(row.id), 'in', ctx.db.selectFrom(ownSecrets(ctx).as('own')).select('own.issueId')),
      ]),
    ])
  }
