import type { Expression, ExpressionBuilder, Kysely, Nullable, SqlBool } from 'kysely'
import type { Database } from '../database.ts'
import { isAdministrator, personId } from '../kernel/actor.ts'
import { type Context, today } from '../kernel/context.ts'
import { Access } from './levels.ts'

/**
 * The rules of `policy.ts` as conditions, for lists that span projects and so cannot be judged one by one. A property test
 * demands that both admit exactly the same rows.
 */

type Asking = Pick<Context, 'db' | 'actor' | 'now'> & {
  /** Instead of looking for them in every condition anew: see `holdings.ts`. */
  readonly held?: HeldProjects
}

/** Ids of projects on which the actor has at least a level. */
export type HeldProjects = (level: number) => ReturnType<typeof projectsAt>

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

/** Ids of the namespaces all of whose projects the actor has at least at `level`. */
export const spacesAt = (ctx: Asking, level: number) =>
  groupsAt(ctx, level).union(
    ctx.db.selectFrom('namespace').where('namespace.ownerId', '=', personId(ctx.actor)).select('namespace.id as id'),
  )

/** Ids of the projects that the actor has at least at `level` by themselves, whatever holds for their namespace. */
export const singleProjectsAt = (ctx: Asking, level: number) =>
  membersAt(ctx.db, ctx, level)
    .where('member.projectId', 'is not', null)
    .select('member.projectId as id')
    .$castTo<{ id: number }>()
    .union(
      sharesAt(ctx.db, ctx, level)
        .where('share.projectId', 'is not', null)
        .select('share.projectId as id')
        .$castTo<{ id: number }>(),
    )

/** Ids of all projects on which the actor has at least `level`. */
export const projectsAt = (ctx: Asking, level: number) =>
  ctx.db
    .selectFrom('project as held')
    .where('held.namespaceId', 'in', groupsAt(ctx, level))
    .select('held.id as id')
    .union(
      membersAt(ctx.db, ctx, level)
        .where('member.projectId', 'is not', null)
        .select('member.projectId as id')
        .$castTo<{ id: number }>(),
    )
    .union(
      sharesAt(ctx.db, ctx, level)
        .where('share.projectId', 'is not', null)
        .select('share.projectId as id')
        .$castTo<{ id: number }>(),
    )
    .union(
      ctx.db
        .selectFrom('project as own')
        .innerJoin('namespace', 'namespace.id', 'own.namespaceId')
        .where('namespace.ownerId', '=', personId(ctx.actor))
        .select('own.id as id'),
    )

const held = (ctx: Asking, level: number) => ctx.held?.(level) ?? projectsAt(ctx, level)

type InProjects = ExpressionBuilder<Database, 'project'>
type InIssues = ExpressionBuilder<Database, 'project' | 'issue'>
/** Rows of `snippet` with their `project`, which personal ones do not have. */
type InSnippets = ExpressionBuilder<Database & { project: Nullable<Database['project']> }, 'snippet' | 'project'>
type InMergeRequests = ExpressionBuilder<Database, 'project' | 'mergeRequest'>
type InEvents = ExpressionBuilder<Database, 'project' | 'event'>
/** Rows of `epic` with the `namespace` that is their group. */
type InEpics = ExpressionBuilder<Database, 'namespace' | 'epic'>

/** `project.read`, on rows of `project`. */
export const readableProjects =
  (ctx: Asking) =>
  (eb: InProjects): Expression<SqlBool> => {
    const { actor } = ctx
    if (isAdministrator(actor)) return eb('project.id', 'is not', null)
    const open = eb('project.visibility', '=', 'public')
    if (actor.kind !== 'user') return open
    const member = eb('project.id', 'in', held(ctx, Access.guest))
    return actor.external ? eb.or([open, member]) : eb.or([open, eb('project.visibility', '=', 'internal'), member])
  }

type InGroups = ExpressionBuilder<Database, 'namespace'>

/** `group.read`, on rows of `namespace` that are groups. */
export const readableGroups =
  (ctx: Asking) =>
  (eb: InGroups): Expression<SqlBool> => {
    const { actor } = ctx
    if (isAdministrator(actor)) return eb('namespace.id', 'is not', null)
    const open = eb('namespace.visibility', '=', 'public')
    const below = ctx.db
      .selectFrom('project')
      .innerJoin('namespaceLineage as up', 'up.namespaceId', 'project.namespaceId')
      .where(readableProjects(ctx))
      .select('up.ancestorId')
    const seenBelow = eb('namespace.id', 'in', below)
    if (actor.kind !== 'user') return eb.or([open, seenBelow])
    const member = eb('namespace.id', 'in', groupsAt(ctx, Access.guest))
    const internal = actor.external ? [] : [eb('namespace.visibility', '=', 'internal')]
    return eb.or([open, ...internal, member, seenBelow])
  }

type FeatureColumn =
  | 'project.issuesAccessLevel'
  | 'project.mergeRequestsAccessLevel'
  | 'project.snippetsAccessLevel'
  | 'project.repositoryAccessLevel'

/** The part of a project is open to the actor, on rows of a readable `project`. */
export const openFeature = (ctx: Asking, eb: InProjects, feature: FeatureColumn): Expression<SqlBool> => {
  if (isAdministrator(ctx.actor)) return eb(feature, '!=', 'disabled')
  const enabled = eb(feature, '=', 'enabled')
  if (ctx.actor.kind !== 'user') return enabled
  return eb.or([enabled, eb.and([eb(feature, '=', 'private'), eb('project.id', 'in', held(ctx, Access.guest))])])
}

/** `code.read`, on rows of `project`: guests of a private project do not see its code. */
const openCode =
  (ctx: Asking) =>
  (eb: InProjects): Expression<SqlBool> => {
    const place = eb.and([readableProjects(ctx)(eb), openFeature(ctx, eb, 'project.repositoryAccessLevel')])
    if (isAdministrator(ctx.actor)) return place
    const notPrivate = eb('project.visibility', '!=', 'private')
    return eb.and([place, eb.or([notPrivate, eb('project.id', 'in', held(ctx, Access.reporter))])])
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
      eb('issue.projectId', 'in', held(ctx, Access.reporter)),
    ])
    return eb.and([place, secret])
  }

/** `mergeRequest.read`, on rows of `mergeRequest` joined with their `project`: guests of a private project do not see them. */
export const readableMergeRequests =
  (ctx: Asking) =>
  (eb: InMergeRequests): Expression<SqlBool> => {
    const projects = eb as unknown as InProjects
    return eb.and([openCode(ctx)(projects), openFeature(ctx, projects, 'project.mergeRequestsAccessLevel')])
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
      eb('snippet.projectId', 'in', held(ctx, Access.guest)),
    ])
    return eb.and([place, shown])
  }

/** `epic.read`, on rows of `epic` joined with the `namespace` that is their group. */
export const readableEpics =
  (ctx: Asking) =>
  (eb: InEpics): Expression<SqlBool> => {
    const { actor } = ctx
    if (isAdministrator(actor)) return eb('epic.id', 'is not', null)
    const shown = eb('namespace.visibility', '=', 'public')
    const open = eb('epic.confidential', '=', false)
    if (actor.kind !== 'user') return eb.and([shown, open])
    const place = eb.or([
      shown,
      ...(actor.external ? [] : [eb('namespace.visibility', '=', 'internal')]),
      eb('epic.groupId', 'in', groupsAt(ctx, Access.guest)),
    ])
    const reporter = eb('epic.groupId', 'in', groupsAt(ctx, Access.reporter))
    return eb.and([place, eb.or([open, eb('epic.authorId', '=', actor.id), reporter])])
  }

/**
 * On rows of `event` joined with their `project`: what was done to something is seen by whoever can read that thing, and
 * what was pushed by whoever can read the code.
 */
export const readableEvents =
  (ctx: Asking) =>
  (eb: InEvents): Expression<SqlBool> => {
    const projects = eb as unknown as InProjects
    // The thing belongs to the event's own project: the inner conditions look at the row of it that is there already.
    const issue = eb
      .selectFrom('issue')
      .whereRef('issue.id', '=', 'event.issueId')
      .where((inner) => readableIssues(ctx)(inner as unknown as InIssues))
      .select('issue.id')
    const snippet = eb
      .selectFrom('snippet')
      .whereRef('snippet.id', '=', 'event.snippetId')
      .where((inner) => readableSnippets(ctx)(inner as unknown as InSnippets))
      .select('snippet.id')
    const ofProject = eb.and([
      eb('event.action', '!=', 'pushed'),
      eb('event.issueId', 'is', null),
      eb('event.mergeRequestId', 'is', null),
      eb('event.snippetId', 'is', null),
    ])
    return eb.or([
      eb.and([ofProject, readableProjects(ctx)(projects)]),
      eb.and([eb('event.action', '=', 'pushed'), openCode(ctx)(projects)]),
      eb.and([eb('event.issueId', 'is not', null), eb.exists(issue)]),
      eb.and([
        eb('event.mergeRequestId', 'is not', null),
        readableMergeRequests(ctx)(eb as unknown as InMergeRequests),
      ]),
      eb.and([eb('event.snippetId', 'is not', null), eb.exists(snippet)]),
    ])
  }
