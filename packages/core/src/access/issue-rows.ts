import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Database } from '../database.ts'
import { opaque } from '../db/functions.ts'
import { isAdministrator, personId } from '../kernel/actor.ts'
import type { Context } from '../kernel/context.ts'
import type { Subjects } from '../policy.ts'
import { Access } from './levels.ts'
import { openFeature, projectsAt, readableProjects } from './predicates.ts'

/**
 * `issue.read` on rows that stand for issues without being them – links and counts, which carry an issue's project and its
 * confidentiality – so that a million of them are counted by themselves. A property test demands the same counts as asking
 * for each issue alone.
 */

/** Where issues are counted. */
export type IssuePlace = Subjects['instance'] | Subjects['group'] | Subjects['project']

// biome-ignore lint/suspicious/noExplicitAny: rows of any table that has the named columns
type Rows = ExpressionBuilder<any, any>

type InProjects = ExpressionBuilder<Database, 'project'>
type Asking = Pick<Context, 'db' | 'actor' | 'now'>

/** Ids of the projects in a place whose issues are open to the actor. */
export const projectsWithIssues = (ctx: Asking, place: IssuePlace) => {
  const open = ctx.db
    .selectFrom('project')
    .where((eb: InProjects) => eb.and([readableProjects(ctx)(eb), openFeature(ctx, eb, 'project.issuesAccessLevel')]))
    .select('project.id')
  if (place.kind === 'project') return open.where('project.id', '=', place.project.id)
  if (place.kind === 'instance') return open
  const below = ctx.db.selectFrom('namespaceLineage').where('ancestorId', '=', place.group.id).select('namespaceId')
  return open.where('project.namespaceId', 'in', below)
}

/** Whether the actor reads the issues of every project there is, save those that are closed to everybody. */
const readsAlmostAll = ({ actor }: Asking, place: IssuePlace) => place.kind === 'instance' && isAdministrator(actor)

/** Ids of the projects whose issues are closed to everybody: few, where any. */
const closedProjects = ({ db }: Asking) =>
  db.selectFrom('project').where('issuesAccessLevel', '=', 'disabled').select('id')

/**
 * Rows that are reached by another way than their project and only checked for it: by the few closed projects, or by the
 * set of open ones.
 */
export const inOpenProject =
  (ctx: Asking, place: IssuePlace, projectId: string) =>
  (eb: Rows): Expression<SqlBool> =>
    readsAlmostAll(ctx, place)
      ? eb(opaque(projectId), 'not in', closedProjects(ctx))
      : eb(opaque(projectId), 'in', projectsWithIssues(ctx, place))

/** Whether the actor reads all confidential issues there, only some, or – unknown – depending on the project. */
export const readsSecrets = ({ actor }: Asking, place: IssuePlace): boolean | undefined => {
  if (isAdministrator(actor)) return true
  if (actor.kind !== 'user') return false
  return place.kind === 'project' ? place.access >= Access.reporter : undefined
}

/** Projects all of whose confidential issues the actor reads. */
export const secretProjects = (ctx: Asking) => projectsAt(ctx, Access.reporter)

/** The confidential issues that the actor has written or is assigned to. */
export const ownSecrets = ({ db, actor }: Asking) =>
  db
    .selectFrom('issue')
    .where('authorId', '=', personId(actor))
    .where('confidential', '=', true)
    .select(['id', 'projectId', 'state'])
    .union(
      db
        .selectFrom('issueAssignee')
        .where('userId', '=', personId(actor))
        .where('confidential', '=', true)
        .select(['issueId as id', 'projectId', 'state']),
    )

/** Names of the columns in which rows carry what the rule asks. */
export interface IssueRow {
  readonly id: string
  readonly projectId: string
  readonly confidential: string
}

/**
 * The rule itself. `walk`: the rows are reached by another way than their project, and only checked for it.
 */
export const readableIssueRows =
  (ctx: Asking, place: IssuePlace, row: IssueRow, walk: boolean) =>
  (eb: Rows): Expression<SqlBool> => {
    const inPlace =
      place.kind === 'project'
        ? eb(row.projectId, '=', place.project.id)
        : walk
          ? inOpenProject(ctx, place, row.projectId)(eb)
          : eb(row.projectId, 'in', projectsWithIssues(ctx, place))
    const secrets = readsSecrets(ctx, place)
    if (secrets) return inPlace
    return eb.and([
      inPlace,
      eb.or([
        eb(row.confidential, '=', false),
        ...(secrets === undefined ? [eb(opaque(row.projectId), 'in', secretProjects(ctx))] : []),
        eb(opaque(row.id), 'in', ctx.db.selectFrom(ownSecrets(ctx).as('own')).select('own.id')),
      ]),
    ])
  }
