import type { Expression, ExpressionBuilder, Kysely, Nullable, SqlBool } from 'kysely'
import type { Database } from '../database.ts'
import { isAdministrator, personId } from '../kernel/actor.ts'
import { type Context, today } from '../kernel/context.ts'
import { Access } from './levels.ts'

/**
 * The rules of `policy.ts` as conditions, for lists that span projects and so cannot be judged one by one. A property test
 * demands that both admit exactly the same rows.
 */

type Asking = Pick<Context, 'db' | 'actor' | 'now'>

/** Active memberships of the actor at `level` or above. */
const membersAt = (db: Kysely<Database>, ctx: Asking, level: number) =>
  db
    .selectFrom('member')
    .where('member.userId', '=', personId(ctx.actor))
    .where('member.accessLevel', '>=', level)
    .where((eb) => eb.or([eb('member.expiresAt', 'is', null), eb('member.expiresAt', '>', today(ctx))]))

/** Active shares at `level` or above with groups of which the actor is a member at that level. */
const sharesAt = (db: Kysely<Database>, ctx: Asking, level: number) =>
  membersAt(db, ctx, level)
    .innerJoin('namespaceLineage as invited', 'invited.ancestorId', 'member.groupId')
    .innerJoin('share', 'share.withGroupId', 'invited.namespaceId')
    .where('share.accessLevel', '>=', level)
    .where((eb) => eb.or([eb('share.expiresAt', 'is', null), eb('share.expiresAt', '>', today(ctx))]))

/** Ids of all groups on which the actor has at least `level`, inherited and shared memberships included. */
export const groupsAt = (ctx: Asking, level: number) =>
  membersAt(ctx.db, ctx, level)
    .innerJoin('namespaceLineage as down', 'down.ancestorId', 'member.groupId')
    .select('down.namespaceId as id')
    .union(
      sharesAt(ctx.db, ctx, level)
        .innerJoin('namespaceLineage as down', 'down.ancestorId', 'share.groupId')
        .select('down.namespaceId as id'),
    )

/** Ids of all projects on which the actor has at least `level`. */
export const projectsAt = (ctx: Asking, level: number) =>
  ctx.db
    .selectFrom('project as held')
    .where('held.namespaceId', 'in', groupsAt(ctx, level))
    .select('held.id as id')
    .union(
      membersAt(ctx.db, ctx, level).where('member.projectId', 'is not', null).select('member.projectId as id').$castTo<{ id: number }>(),
    )
    .union(
      sharesAt(ctx.db, ctx, level).where('share.projectId', 'is not', null).select('share.projectId as id').$castTo<{ id: number }>(),
    )
    .union(
      ctx.db
        .selectFrom('project as own')
        .innerJoin('namespace', 'namespace.id', 'own.namespaceId')
        .where('namespace.ownerId', '=', personId(ctx.actor))
        .select('own.id as id'),
    )

type InProjects = ExpressionBuilder<Database, 'project'>
type InIssues = ExpressionBuilder<Database, 'project' | 'issue'>
/** Rows of `snippet` with their `project`, which personal ones do not have. */
type InSnippets = ExpressionBuilder<Database & { project: Nullable<Database['project']> }, 'snippet' | 'project'>
type InMergeRequests = ExpressionBuilder<Database, 'project' | 'mergeRequest'>

/** `project.read`, on rows of `project`. */
export const readableProjects =
  (ctx: Asking) =>
  (eb: InProjects): Expression<SqlBool> => {
    const { actor } = ctx
    if (isAdministrator(actor)) return eb('project.id', 'is not', null)
    const open = eb('project.visibility', '=', 'public')
    if (actor.kind !== 'user') return open
    const member = eb('project.id', 'in', projectsAt(ctx, Access.guest))
    return actor.external ? eb.or([open, member]) : eb.or([open, eb('project.visibility', '=', 'internal'), member])
  }

type FeatureColumn = 'project.issuesAccessLevel' | 'project.mergeRequestsAccessLevel' | 'project.snippetsAccessLevel' | 'project.repositoryAccessLevel'

/** The part of a project is open to the actor, on rows of a readable `project`. */
const openFeature = (ctx: Asking, eb: InProjects, feature: FeatureColumn): Expression<SqlBool> => {
  if (isAdministrator(ctx.actor)) return eb(feature, '!=', 'disabled')
  const enabled = eb(feature, '=', 'enabled')
  if (ctx.actor.kind !== 'user') return enabled
  return eb.or([enabled, eb.and([eb(feature, '=', 'private'), eb('project.id', 'in', projectsAt(ctx, Access.guest))])])
}

/** `issue.read`, on rows of `issue` joined with their `project`. */
export const readableIssues =
  (ctx: Asking) =>
  (eb: InIssues): Expression<SqlBool> => {
    const projects = eb as unknown as InProjects
    const place = eb.and([readableProjects(ctx)(projects), openFeature(ctx, projects, 'project.issuesAccessLevel')])
    if (isAdministrator(ctx.actor)) return place
    const open = eb('issue.confidential', '=', false)
    if (ctx.actor.kind !== 'user') return eb.and([place, open])
    const mine = ctx.db.selectFrom('issueAssignee').where('userId', '=', ctx.actor.id).select('issueId')
    const secret = eb.or([
      open,
      eb('issue.authorId', '=', ctx.actor.id),
      eb('issue.id', 'in', mine),
      eb('issue.projectId', 'in', projectsAt(ctx, Access.reporter)),
    ])
    return eb.and([place, secret])
  }

/** `mergeRequest.read`, on rows of `mergeRequest` joined with their `project`: guests of a private project do not see them. */
export const readableMergeRequests =
  (ctx: Asking) =>
  (eb: InMergeRequests): Expression<SqlBool> => {
    const projects = eb as unknown as InProjects
    const place = eb.and([
      readableProjects(ctx)(projects),
      openFeature(ctx, projects, 'project.mergeRequestsAccessLevel'),
      openFeature(ctx, projects, 'project.repositoryAccessLevel'),
    ])
    if (isAdministrator(ctx.actor)) return place
    const notPrivate = eb('project.visibility', '!=', 'private')
    return eb.and([place, eb.or([notPrivate, eb('project.id', 'in', projectsAt(ctx, Access.reporter))])])
  }

/** `snippet.read`, on rows of `snippet` left joined with their `project`. */
export const readableSnippets =
  (ctx: Asking) =>
  (eb: InSnippets): Expression<SqlBool> => {
    const { actor } = ctx
    const projects = eb as unknown as InProjects
    const personal = eb('snippet.projectId', 'is', null)
    const place = eb.or([
      personal,
      eb.and([readableProjects(ctx)(projects), openFeature(ctx, projects, 'project.snippetsAccessLevel')]),
    ])
    if (isAdministrator(actor)) return place
    const open = eb('snippet.visibility', '=', 'public')
    if (actor.kind !== 'user') return eb.and([place, open])
    const shown = eb.or([
      open,
      ...(actor.external ? [] : [eb('snippet.visibility', '=', 'internal')]),
      eb('snippet.authorId', '=', actor.id),
      eb('snippet.projectId', 'in', projectsAt(ctx, Access.guest)),
    ])
    return eb.and([place, shown])
  }
