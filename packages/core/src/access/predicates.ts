import { type Expression, type ExpressionBuilder, expressionBuilder, type Nullable, type SqlBool } from 'kysely'
import type { Database } from '../contract/database.ts'
import { jsonText } from '../db/functions.ts'
import { getUserId, isAdministrator } from '../kernel/actor.ts'
import {
  hasNamespaceAccess,
  hasProjectAccess,
  type PredicateContext,
  type ProjectExpressions,
} from './access-conditions.ts'
import { Access, type RestrictableFeature } from './levels.ts'
import { isShownDuringImport } from './unfinished-import.ts'

/**
 * The read rules of `policy.ts` as SQL conditions, for lists that span projects. Property tests compare the rows that the
 * conditions and the rules admit.
 */

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

const projects = expressionBuilder<Database, 'project'>()

/** The actor can read the project without access to it. On rows of `project`. */
const isOpenProject =
  ({ actor }: PredicateContext) =>
  (eb: ProjectExpressions): Expression<SqlBool> =>
    eb.and([
      eb('project.visibility', 'in', actor.kind === 'user' && !actor.external ? ['public', 'internal'] : ['public']),
      isShownDuringImport({ actor }, eb, 'project.importerId'),
    ])

/** `project.read`, on rows of `project`. */
export const readableProjects =
  (ctx: PredicateContext) =>
  (eb: ProjectExpressions): Expression<SqlBool> => {
    if (isAdministrator(ctx.actor)) return eb('project.id', 'is not', null)
    const open = isOpenProject(ctx)(eb)
    return ctx.actor.kind === 'user' ? eb.or([open, hasProjectAccess(ctx, Access.guest)(eb)]) : open
  }

type GroupExpressions = ExpressionBuilder<Database, 'namespace'>

/** `group.read`, on rows of `namespace` that are groups. */
export const readableGroups =
  (ctx: PredicateContext) =>
  (eb: GroupExpressions): Expression<SqlBool> => {
    const { actor } = ctx
    if (isAdministrator(actor)) return eb('namespace.id', 'is not', null)
    const open = eb('namespace.visibility', '=', 'public')
    const hasVisibleProject = eb.exists(
      eb
        .selectFrom('project')
        .innerJoin('namespaceLineage as down', 'down.namespaceId', 'project.namespaceId')
        .whereRef('down.ancestorId', '=', 'namespace.id')
        .where(readableProjects(ctx)(expressionBuilder()))
        .select('project.id'),
    )
    const shown = isShownDuringImport(ctx, eb, 'namespace.importerId')
    if (actor.kind !== 'user') return eb.and([shown, eb.or([open, hasVisibleProject])])
    const member = hasNamespaceAccess(ctx, Access.guest, 'namespace.id')
    const internal = actor.external ? [] : [eb('namespace.visibility', '=', 'internal')]
    return eb.and([shown, eb.or([open, ...internal, member, hasVisibleProject])])
  }

type FeatureColumn = 'project.issuesAccessLevel' | 'project.mergeRequestsAccessLevel' | 'project.snippetsAccessLevel'

/** The actor can read the project and use the feature, on rows of `project`. */
export const isFeatureReadable = (
  ctx: PredicateContext,
  eb: ProjectExpressions,
  feature: FeatureColumn,
  /** The lowest level that can use the feature where it is restricted to members. */
  memberLevel: number = Access.guest,
): Expression<SqlBool> => {
  const { actor } = ctx
  if (isAdministrator(actor)) return eb(feature, '!=', 'disabled')
  const openToNonMembers = eb.and([eb(feature, '=', 'enabled'), isOpenProject(ctx)(eb)])
  if (actor.kind !== 'user') return openToNonMembers
  const openToMembers = eb.and([eb(feature, '!=', 'disabled'), hasProjectAccess(ctx, memberLevel)(eb)])
  if (memberLevel === Access.guest) return eb.or([openToNonMembers, openToMembers])
  const openToGuests = eb.and([eb(feature, '=', 'enabled'), hasProjectAccess(ctx, Access.guest)(eb)])
  return eb.or([openToNonMembers, openToMembers, openToGuests])
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
    return eb.and([enabled, eb.or([openToEveryone, hasProjectAccess(ctx, Access.reporter)(eb)])])
  }

/** The level of the feature permits its use to users who can see the project, on rows of `project`. */
const withFeature = (ctx: PredicateContext, eb: ProjectExpressions, feature: RestrictableFeature) => {
  const level = jsonText('project.restrictedFeatures', feature)
  const enabled = eb(level, 'is distinct from', 'disabled')
  if (isAdministrator(ctx.actor)) return enabled
  const open = eb.or([eb(level, 'is', null), eb(level, '=', 'public')])
  if (ctx.actor.kind !== 'user') return open
  return eb.and([enabled, eb.or([open, hasProjectAccess(ctx, Access.guest)(eb)])])
}

/** `package.read`, on rows of `project`: only reporters and above read the packages of private projects. */
export const readablePackages =
  (ctx: PredicateContext) =>
  (eb: ProjectExpressions): Expression<SqlBool> => {
    const readable = eb.and([readableProjects(ctx)(eb), withFeature(ctx, eb, 'packageRegistry')])
    if (isAdministrator(ctx.actor)) return readable
    const open = eb.or([
      eb('project.visibility', '!=', 'private'),
      eb(jsonText('project.restrictedFeatures', 'packageRegistry'), '=', 'public'),
    ])
    if (ctx.actor.kind !== 'user') return eb.and([readable, open])
    return eb.and([readable, eb.or([open, hasProjectAccess(ctx, Access.reporter)(eb)])])
  }

/** The issue is not confidential, or the actor can read it nevertheless. On rows of `issue` joined with their `project`. */
const readsConfidential =
  (ctx: PredicateContext) =>
  (eb: IssueExpressions): Expression<SqlBool> => {
    const { actor, knownLevel = Access.none } = ctx
    if (isAdministrator(actor) || knownLevel >= Access.reporter) return eb.lit(true)
    const notConfidential = eb('issue.confidential', '=', false)
    if (actor.kind !== 'user') return notConfidential
    const assigned = eb
      .selectFrom('issueAssignee')
      .whereRef('issueAssignee.issueId', '=', 'issue.id')
      .where('issueAssignee.userId', '=', actor.id)
      .select('issueAssignee.issueId')
    return eb.or([
      notConfidential,
      eb('issue.authorId', '=', actor.id),
      eb.exists(assigned),
      hasProjectAccess(ctx, Access.reporter)(expressionBuilder()),
    ])
  }

/** `issue.read`, on rows of `issue` joined with their `project`. */
export const readableIssues =
  (ctx: PredicateContext) =>
  (eb: IssueExpressions): Expression<SqlBool> => {
    return eb.and([isFeatureReadable(ctx, projects, 'project.issuesAccessLevel'), readsConfidential(ctx)(eb)])
  }

/** `issue.read`, on rows of `issue` of one project, where the actor has `issue.list` and the level `access`. */
export const readableIssuesOfProject =
  (ctx: PredicateContext, { access }: { readonly access: number }) =>
  (_eb: ExpressionBuilder<Database, 'issue'>): Expression<SqlBool> =>
    readsConfidential({ ...ctx, knownLevel: access })(expressionBuilder())

/** `mergeRequest.read`, on rows of `mergeRequest` joined with their `project`: requires `code.read`. */
export const readableMergeRequests =
  (ctx: PredicateContext) =>
  (eb: MergeRequestExpressions): Expression<SqlBool> => {
    return eb.and([readableCode(ctx)(projects), isFeatureReadable(ctx, projects, 'project.mergeRequestsAccessLevel')])
  }

/** `environment.read`, on rows of `project`. */
export const readableEnvironments =
  (ctx: PredicateContext) =>
  (eb: ProjectExpressions): Expression<SqlBool> =>
    eb.and([
      withFeature(ctx, eb, 'environments'),
      isAdministrator(ctx.actor) ? eb.lit(true) : hasProjectAccess(ctx, Access.reporter)(eb),
    ])

/** `milestone.read` of a project, on rows of `project`: milestones belong to issues and to merge requests. */
export const readableMilestones =
  (ctx: PredicateContext) =>
  (eb: ProjectExpressions): Expression<SqlBool> =>
    eb.or([
      isFeatureReadable(ctx, eb, 'project.issuesAccessLevel'),
      eb.and([readableCode(ctx)(eb), isFeatureReadable(ctx, eb, 'project.mergeRequestsAccessLevel')]),
    ])

/** `snippet.read`, on rows of `snippet` left joined with their `project`. */
export const readableSnippets =
  (ctx: PredicateContext) =>
  (eb: SnippetExpressions): Expression<SqlBool> => {
    const { actor } = ctx
    const personal = eb('snippet.projectId', 'is', null)
    const enabled = eb.or([personal, isFeatureReadable(ctx, projects, 'project.snippetsAccessLevel')])
    if (isAdministrator(actor)) return enabled
    const open = eb('snippet.visibility', '=', 'public')
    if (actor.kind !== 'user') return eb.and([enabled, open])
    const visible = eb.or([
      open,
      ...(actor.external ? [] : [eb('snippet.visibility', '=', 'internal')]),
      eb('snippet.authorId', '=', actor.id),
      hasProjectAccess(ctx, Access.guest)(projects),
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
    const shown = isShownDuringImport(ctx, eb, 'namespace.importerId')
    if (actor.kind !== 'user') return eb.and([open, notConfidential, shown])
    const visible = eb.or([
      open,
      ...(actor.external ? [] : [eb('namespace.visibility', '=', 'internal')]),
      hasNamespaceAccess(ctx, Access.guest, 'epic.groupId'),
    ])
    const reporter = hasNamespaceAccess(ctx, Access.reporter, 'epic.groupId')
    return eb.and([visible, shown, eb.or([notConfidential, eb('epic.authorId', '=', actor.id), reporter])])
  }

type NoteExpressions = ExpressionBuilder<Database, 'note'>
type ItemKind = 'issue' | 'mergeRequest' | 'snippet' | 'epic'

/**
 * `note.read`, on rows of `note` whose items are readable: internal notes only for their authors and for reporters and above.
 * `kinds` are the kinds of the items; with one kind, the notes can be counted in an index.
 */
export const readableNotes =
  (ctx: PredicateContext, kinds: readonly ItemKind[] = ['issue', 'mergeRequest', 'snippet', 'epic']) =>
  (eb: NoteExpressions): Expression<SqlBool> => {
    if (isAdministrator(ctx.actor)) return eb('note.id', 'is not', null)
    const isReporter = (kind: ItemKind) =>
      kind === 'epic'
        ? eb.exists(
            eb
              .selectFrom('epic')
              .whereRef('epic.id', '=', 'note.epicId')
              .where(hasNamespaceAccess(ctx, Access.reporter, 'epic.groupId'))
              .select('epic.id'),
          )
        : eb.exists(
            eb
              .selectFrom(kind)
              .innerJoin('project', 'project.id', `${kind}.projectId`)
              .whereRef(`${kind}.id`, '=', `note.${kind}Id`)
              .where(hasProjectAccess(ctx, Access.reporter)(expressionBuilder()))
              .select(`${kind}.id`),
          )
    return eb.or([
      eb('note.internal', '=', false),
      eb('note.authorId', '=', getUserId(ctx.actor)),
      ...kinds.map(isReporter),
    ])
  }

/**
 * On rows of `event` joined with their `project` and left joined with the `issue` and the `snippet` of that project: the actor
 * can read the event's target, or the code for a push, and the note. Joined, because PostgreSQL replaces `exists` by a set of
 * all issues that the actor can read.
 */
export const readableEvents =
  (ctx: PredicateContext) =>
  (eb: EventExpressions): Expression<SqlBool> => {
    const ofProject = eb.and([
      eb('event.action', '!=', 'pushed'),
      eb('event.issueId', 'is', null),
      eb('event.mergeRequestId', 'is', null),
      eb('event.milestoneId', 'is', null),
      eb('event.snippetId', 'is', null),
    ])
    const targets = eb.or([
      eb.and([eb('event.milestoneId', 'is not', null), readableMilestones(ctx)(projects)]),
      eb.and([ofProject, readableProjects(ctx)(projects)]),
      eb.and([eb('event.action', '=', 'pushed'), readableCode(ctx)(projects)]),
      eb.and([eb('event.issueId', 'is not', null), readableIssues(ctx)(expressionBuilder())]),
      eb.and([eb('event.mergeRequestId', 'is not', null), readableMergeRequests(ctx)(expressionBuilder())]),
      eb.and([eb('event.snippetId', 'is not', null), readableSnippets(ctx)(expressionBuilder())]),
    ])
    if (isAdministrator(ctx.actor)) return targets
    // The author of the event of a note is that of the note.
    const notes = eb.or([
      eb('event.internal', '=', false),
      eb('event.authorId', '=', getUserId(ctx.actor)),
      hasProjectAccess(ctx, Access.reporter)(projects),
    ])
    return eb.and([targets, notes])
  }
