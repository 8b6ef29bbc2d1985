import type { Expression, ExpressionBuilder, Kysely, Nullable, SqlBool } from 'kysely'
import type { Database } from '../contract/database.ts'
import { getUserId, isAdministrator } from '../kernel/actor.ts'
import { type Context, today } from '../kernel/context.ts'
import { Access } from './levels.ts'

/**
 * The read rules of `policy.ts` as SQL conditions, for lists that span projects. Property tests compare the rows that the
 * conditions and the rules admit.
 */

type PredicateContext = Pick<Context, 'db' | 'actor' | 'now'> & {
  /** Shares one lookup between all conditions of a query: see `accessible-projects.ts`. */
  readonly accessibleProjects?: AccessibleProjects
}

/** Ids of projects on which the actor has at least a level. */
export type AccessibleProjects = (level: number) => ReturnType<typeof projectIdsWithAccess>

/** The actor's active memberships at `level` or above. */
const membershipsWithAccess = (db: Kysely<Database>, ctx: PredicateContext, level: number) =>
  db
    .selectFrom('member')
    .where('member.userId', '=', getUserId(ctx.actor))
    .where('member.accessLevel', '>=', level)
    .where((eb) => eb.or([eb('member.expiresAt', 'is', null), eb('member.expiresAt', '>', today(ctx))]))

/** Active shares at `level` or above with groups of which the actor is a member at that level. */
const sharesWithAccess = (db: Kysely<Database>, ctx: PredicateContext, level: number) =>
  membershipsWithAccess(db, ctx, level)
    .innerJoin('namespaceLineage as invited', 'invited.ancestorId', 'member.groupId')
    .innerJoin('share', 'share.withGroupId', 'invited.namespaceId')
    .where('share.accessLevel', '>=', level)
    .where((eb) => eb.or([eb('share.expiresAt', 'is', null), eb('share.expiresAt', '>', today(ctx))]))

/** Ids of all groups on which the actor has at least `level`, including inherited and shared memberships. */
export const groupIdsWithAccess = (ctx: PredicateContext, level: number) =>
  membershipsWithAccess(ctx.db, ctx, level)
    .innerJoin('namespaceLineage as down', 'down.ancestorId', 'member.groupId')
    .select('down.namespaceId as id')
    .union(
      sharesWithAccess(ctx.db, ctx, level)
        .innerJoin('namespaceLineage as down', 'down.ancestorId', 'share.groupId')
        .select('down.namespaceId as id'),
    )

/** Ids of the namespaces in which the actor has at least `level` on every project. */
export const namespaceIdsWithAccess = (ctx: PredicateContext, level: number) =>
  groupIdsWithAccess(ctx, level).union(
    ctx.db.selectFrom('namespace').where('namespace.ownerId', '=', getUserId(ctx.actor)).select('namespace.id as id'),
  )

/** Ids of the projects on which the actor has at least `level` by a direct membership or a share of the project itself. */
export const directProjectIdsWithAccess = (ctx: PredicateContext, level: number) =>
  membershipsWithAccess(ctx.db, ctx, level)
    .where('member.projectId', 'is not', null)
    .select('member.projectId as id')
    .$castTo<{ id: number }>()
    .union(
      sharesWithAccess(ctx.db, ctx, level)
        .where('share.projectId', 'is not', null)
        .select('share.projectId as id')
        .$castTo<{ id: number }>(),
    )

/** Ids of all projects on which the actor has at least `level`. */
export const projectIdsWithAccess = (ctx: PredicateContext, level: number) =>
  ctx.db
    .selectFrom('project as accessible')
    .where('accessible.namespaceId', 'in', groupIdsWithAccess(ctx, level))
    .select('accessible.id as id')
    .union(
      membershipsWithAccess(ctx.db, ctx, level)
        .where('member.projectId', 'is not', null)
        .select('member.projectId as id')
        .$castTo<{ id: number }>(),
    )
    .union(
      sharesWithAccess(ctx.db, ctx, level)
        .where('share.projectId', 'is not', null)
        .select('share.projectId as id')
        .$castTo<{ id: number }>(),
    )
    .union(
      ctx.db
        .selectFrom('project as own')
        .innerJoin('namespace', 'namespace.id', 'own.namespaceId')
        .where('namespace.ownerId', '=', getUserId(ctx.actor))
        .select('own.id as id'),
    )

const projectIdsFor = (ctx: PredicateContext, level: number) =>
  ctx.accessibleProjects?.(level) ?? projectIdsWithAccess(ctx, level)

type ProjectExpressions = ExpressionBuilder<Database, 'project'>
type IssueExpressions = ExpressionBuilder<Database, 'project' | 'issue'>
/** Rows of `snippet` with their `project`; personal snippets have none. */
type SnippetExpressions = ExpressionBuilder<
  Database & { project: Nullable<Database['project']> },
  'snippet' | 'project'
>
type MergeRequestExpressions = ExpressionBuilder<Database, 'project' | 'mergeRequest'>
type EventExpressions = ExpressionBuilder<Database, 'project' | 'event'>
/** Rows of `epic` with the `namespace` that is their group. */
type EpicExpressions = ExpressionBuilder<Database, 'namespace' | 'epic'>

/** `project.read`, on rows of `project`. */
export const readableProjects =
  (ctx: PredicateContext) =>
  (eb: ProjectExpressions): Expression<SqlBool> => {
    const { actor } = ctx
    if (isAdministrator(actor)) return eb('project.id', 'is not', null)
    const open = eb('project.visibility', '=', 'public')
    if (actor.kind !== 'user') return open
    const member = eb('project.id', 'in', projectIdsFor(ctx, Access.guest))
    return actor.external ? eb.or([open, member]) : eb.or([open, eb('project.visibility', '=', 'internal'), member])
  }

type GroupExpressions = ExpressionBuilder<Database, 'namespace'>

/** `group.read`, on rows of `namespace` that are groups. */
export const readableGroups =
  (ctx: PredicateContext) =>
  (eb: GroupExpressions): Expression<SqlBool> => {
    const { actor } = ctx
    if (isAdministrator(actor)) return eb('namespace.id', 'is not', null)
    const open = eb('namespace.visibility', '=', 'public')
    const below = ctx.db
      .selectFrom('project')
      .innerJoin('namespaceLineage as up', 'up.namespaceId', 'project.namespaceId')
      .where(readableProjects(ctx))
      .select('up.ancestorId')
    const hasVisibleProject = eb('namespace.id', 'in', below)
    if (actor.kind !== 'user') return eb.or([open, hasVisibleProject])
    const member = eb('namespace.id', 'in', groupIdsWithAccess(ctx, Access.guest))
    const internal = actor.external ? [] : [eb('namespace.visibility', '=', 'internal')]
    return eb.or([open, ...internal, member, hasVisibleProject])
  }

type FeatureColumn = 'project.issuesAccessLevel' | 'project.mergeRequestsAccessLevel' | 'project.snippetsAccessLevel'

/** The actor can use the feature, on rows of a readable `project`. */
export const isFeatureOpen = (
  ctx: PredicateContext,
  eb: ProjectExpressions,
  feature: FeatureColumn,
  /** The lowest level that can use the feature where it is restricted to members. */
  memberLevel: number = Access.guest,
): Expression<SqlBool> => {
  if (isAdministrator(ctx.actor)) return eb(feature, '!=', 'disabled')
  const enabled = eb(feature, '=', 'enabled')
  if (ctx.actor.kind !== 'user') return enabled
  return eb.or([
    enabled,
    eb.and([eb(feature, '=', 'private'), eb('project.id', 'in', projectIdsFor(ctx, memberLevel))]),
  ])
}

/** `code.read`, on rows of `project`: only reporters and above read code that is restricted to members. */
const readableCode =
  (ctx: PredicateContext) =>
  (eb: ProjectExpressions): Expression<SqlBool> => {
    const enabled = eb.and([readableProjects(ctx)(eb), eb('project.repositoryAccessLevel', '!=', 'disabled')])
    if (isAdministrator(ctx.actor)) return enabled
    const openToEveryone = eb.and([
      eb('project.repositoryAccessLevel', '=', 'enabled'),
      eb('project.visibility', '!=', 'private'),
    ])
    return eb.and([enabled, eb.or([openToEveryone, eb('project.id', 'in', projectIdsFor(ctx, Access.reporter))])])
  }

/** `issue.read`, on rows of `issue` joined with their `project`. */
export const readableIssues =
  (ctx: PredicateContext) =>
  (eb: IssueExpressions): Expression<SqlBool> => {
    const projects = eb as unknown as ProjectExpressions
    const enabled = eb.and([readableProjects(ctx)(projects), isFeatureOpen(ctx, projects, 'project.issuesAccessLevel')])
    if (isAdministrator(ctx.actor)) return enabled
    const notConfidential = eb('issue.confidential', '=', false)
    if (ctx.actor.kind !== 'user') return eb.and([enabled, notConfidential])
    const assigned = ctx.db.selectFrom('issueAssignee').where('userId', '=', ctx.actor.id).select('issueId')
    const readable = eb.or([
      notConfidential,
      eb('issue.authorId', '=', ctx.actor.id),
      eb('issue.id', 'in', assigned),
      eb('issue.projectId', 'in', projectIdsFor(ctx, Access.reporter)),
    ])
    return eb.and([enabled, readable])
  }

/** `mergeRequest.read`, on rows of `mergeRequest` joined with their `project`: requires `code.read`. */
export const readableMergeRequests =
  (ctx: PredicateContext) =>
  (eb: MergeRequestExpressions): Expression<SqlBool> => {
    const projects = eb as unknown as ProjectExpressions
    return eb.and([readableCode(ctx)(projects), isFeatureOpen(ctx, projects, 'project.mergeRequestsAccessLevel')])
  }

/** `snippet.read`, on rows of `snippet` left joined with their `project`. */
export const readableSnippets =
  (ctx: PredicateContext) =>
  (eb: SnippetExpressions): Expression<SqlBool> => {
    const { actor } = ctx
    const projects = eb as unknown as ProjectExpressions
    const personal = eb('snippet.projectId', 'is', null)
    const enabled = eb.or([
      personal,
      eb.and([readableProjects(ctx)(projects), isFeatureOpen(ctx, projects, 'project.snippetsAccessLevel')]),
    ])
    if (isAdministrator(actor)) return enabled
    const open = eb('snippet.visibility', '=', 'public')
    if (actor.kind !== 'user') return eb.and([enabled, open])
    const visible = eb.or([
      open,
      ...(actor.external ? [] : [eb('snippet.visibility', '=', 'internal')]),
      eb('snippet.authorId', '=', actor.id),
      eb('snippet.projectId', 'in', projectIdsFor(ctx, Access.guest)),
    ])
    return eb.and([enabled, visible])
  }

/** `epic.read`, on rows of `epic` joined with the `namespace` that is their group. */
export const readableEpics =
  (ctx: PredicateContext) =>
  (eb: EpicExpressions): Expression<SqlBool> => {
    const { actor } = ctx
    if (isAdministrator(actor)) return eb('epic.id', 'is not', null)
    const open = eb('namespace.visibility', '=', 'public')
    const notConfidential = eb('epic.confidential', '=', false)
    if (actor.kind !== 'user') return eb.and([open, notConfidential])
    const visible = eb.or([
      open,
      ...(actor.external ? [] : [eb('namespace.visibility', '=', 'internal')]),
      eb('epic.groupId', 'in', groupIdsWithAccess(ctx, Access.guest)),
    ])
    const reporter = eb('epic.groupId', 'in', groupIdsWithAccess(ctx, Access.reporter))
    return eb.and([visible, eb.or([notConfidential, eb('epic.authorId', '=', actor.id), reporter])])
  }

type NoteExpressions = ExpressionBuilder<Database, 'note'>

/** `note.read`, on rows of `note` whose items are readable: internal notes only for their authors and for reporters and above. */
export const readableNotes =
  (ctx: PredicateContext) =>
  (eb: NoteExpressions): Expression<SqlBool> => {
    if (isAdministrator(ctx.actor)) return eb('note.id', 'is not', null)
    const isReporter = (table: 'issue' | 'mergeRequest' | 'snippet') =>
      eb.exists(
        eb
          .selectFrom(table)
          .whereRef(`${table}.id`, '=', `note.${table}Id`)
          .where(`${table}.projectId`, 'in', projectIdsFor(ctx, Access.reporter))
          .select(`${table}.id`),
      )
    const isGroupReporter = eb.exists(
      eb
        .selectFrom('epic')
        .whereRef('epic.id', '=', 'note.epicId')
        .where('epic.groupId', 'in', groupIdsWithAccess(ctx, Access.reporter))
        .select('epic.id'),
    )
    return eb.or([
      eb('note.internal', '=', false),
      eb('note.authorId', '=', getUserId(ctx.actor)),
      isReporter('issue'),
      isReporter('mergeRequest'),
      isReporter('snippet'),
      isGroupReporter,
    ])
  }

/**
 * On rows of `event` joined with their `project`: the actor can read the event's target, or the code for a push, and the
 * note.
 */
export const readableEvents =
  (ctx: PredicateContext) =>
  (eb: EventExpressions): Expression<SqlBool> => {
    const projects = eb as unknown as ProjectExpressions
    // The target belongs to the event's project, so the inner conditions use the `project` row of the outer query.
    const issue = eb
      .selectFrom('issue')
      .whereRef('issue.id', '=', 'event.issueId')
      .where((inner) => readableIssues(ctx)(inner as unknown as IssueExpressions))
      .select('issue.id')
    const snippet = eb
      .selectFrom('snippet')
      .whereRef('snippet.id', '=', 'event.snippetId')
      .where((inner) => readableSnippets(ctx)(inner as unknown as SnippetExpressions))
      .select('snippet.id')
    const ofProject = eb.and([
      eb('event.action', '!=', 'pushed'),
      eb('event.issueId', 'is', null),
      eb('event.mergeRequestId', 'is', null),
      eb('event.snippetId', 'is', null),
    ])
    const targets = eb.or([
      eb.and([ofProject, readableProjects(ctx)(projects)]),
      eb.and([eb('event.action', '=', 'pushed'), readableCode(ctx)(projects)]),
      eb.and([eb('event.issueId', 'is not', null), eb.exists(issue)]),
      eb.and([
        eb('event.mergeRequestId', 'is not', null),
        readableMergeRequests(ctx)(eb as unknown as MergeRequestExpressions),
      ]),
      eb.and([eb('event.snippetId', 'is not', null), eb.exists(snippet)]),
    ])
    if (isAdministrator(ctx.actor)) return targets
    // The author of the event of a note is that of the note.
    const notes = eb.or([
      eb('event.internal', '=', false),
      eb('event.authorId', '=', getUserId(ctx.actor)),
      eb('event.projectId', 'in', projectIdsFor(ctx, Access.reporter)),
    ])
    return eb.and([targets, notes])
  }
