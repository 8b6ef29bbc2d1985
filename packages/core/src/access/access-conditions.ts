import { type Expression, type ExpressionBuilder, expressionBuilder, type Kysely, type SqlBool } from 'kysely'
import type { Database } from '../contract/database.ts'
import { isOneOf, isUnexpired } from '../db/functions.ts'
import { getUserId } from '../kernel/actor.ts'
import { type Context, today } from '../kernel/context.ts'
import type { Grants } from './grants.ts'
import { isShownDuringImport } from './unfinished-import.ts'

/** The actor's access to groups and projects as SQL: conditions on rows, and queries of ids. */

export type PredicateContext = Pick<Context, 'db' | 'actor' | 'now'> & AccessOptions

/** What is known about the access of the actor. Conditions select the same rows without it, but slower. */
export interface AccessOptions {
  /** All grants of the actor. */
  readonly grants?: Grants
  /** The actor's level, for rows of a single project. */
  readonly knownLevel?: number
  /** The actor is a member of few projects: their ids are read once and compared, instead of checking each row. */
  readonly isMemberOfFew?: boolean
}

/** The actor's active memberships at `level` or above. */
const membershipsWithAccess = (db: Kysely<Database>, ctx: PredicateContext, level: number) =>
  db
    .selectFrom('member')
    .where('member.userId', '=', getUserId(ctx.actor))
    .where('member.accessLevel', '>=', level)
    .where(isUnexpired('member.expiresAt', today(ctx)))

/** Active shares at `level` or above with groups of which the actor is a member at that level. */
const sharesWithAccess = (db: Kysely<Database>, ctx: PredicateContext, level: number) =>
  membershipsWithAccess(db, ctx, level)
    .innerJoin('namespaceLineage as invited', 'invited.ancestorId', 'member.groupId')
    .innerJoin('share', 'share.withGroupId', 'invited.namespaceId')
    .where('share.accessLevel', '>=', level)
    .where(isUnexpired('share.expiresAt', today(ctx)))

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

/** Ids of all projects on which the actor has at least `level`. Repeats ids. */
export const projectIdsWithAccess = (ctx: PredicateContext, level: number) => {
  const { db, grants } = ctx
  const projects = db.selectFrom('project as accessible').select('accessible.id as id')
  const direct = grants
    ? projects.where(isOneOf(grants.dialect, 'accessible.id', idsAtLevel(grants, 'projectId', level)))
    : db.selectFrom(directProjectIdsWithAccess(ctx, level).as('direct')).select('direct.id as id')
  const namespaces = grants
    ? db
        .selectFrom('namespaceLineage as down')
        .where(isOneOf(grants.dialect, 'down.ancestorId', idsAtLevel(grants, 'namespaceId', level)))
        .select('down.namespaceId as id')
    : namespaceIdsWithAccess(ctx, level)
  return projects.where('accessible.namespaceId', 'in', namespaces).unionAll(direct)
}

export type ProjectExpressions = ExpressionBuilder<Database, 'project'>

/** Ids of the namespaces on which the actor has at least `level` without inheriting it. */
const selectGrantedNamespaces = (ctx: PredicateContext, level: number) =>
  membershipsWithAccess(ctx.db, ctx, level)
    .where('member.groupId', 'is not', null)
    .select('member.groupId as id')
    .union(sharesWithAccess(ctx.db, ctx, level).where('share.groupId', 'is not', null).select('share.groupId as id'))
    .union(ctx.db.selectFrom('namespace').where('namespace.ownerId', '=', getUserId(ctx.actor)).select('namespace.id'))

const idsAtLevel = (grants: Grants, column: 'namespaceId' | 'projectId', level: number) =>
  grants.rows.flatMap((grant) => (grant[column] !== null && grant.level >= level ? [grant[column]] : []))

/** The actor has at least `level` on the namespace that the column names: on itself or on one of its ancestors. */
export const hasNamespaceAccess = (
  ctx: PredicateContext,
  level: number,
  column: 'project.namespaceId' | 'namespace.id' | 'epic.groupId',
): Expression<SqlBool> => {
  const eb = expressionBuilder<
    Database & { up: Database['namespaceLineage'] },
    'up' | 'project' | 'namespace' | 'epic'
  >()
  const { grants } = ctx
  const ids = grants && idsAtLevel(grants, 'namespaceId', level)
  if (ids?.length === 0) return eb.lit(false)
  return eb.exists(
    ctx.db
      .selectFrom('namespaceLineage as up')
      .where(eb('up.namespaceId', '=', eb.ref(column)))
      .where(
        ids
          ? isOneOf(grants.dialect, 'up.ancestorId', ids)
          : eb('up.ancestorId', 'in', selectGrantedNamespaces(ctx, level)),
      )
      .select('up.ancestorId'),
  )
}

const isMember = (ctx: PredicateContext, level: number, eb: ProjectExpressions): Expression<SqlBool> => {
  if (ctx.isMemberOfFew) return eb('project.id', 'in', projectIdsWithAccess(ctx, level))
  const inNamespace = hasNamespaceAccess(ctx, level, 'project.namespaceId')
  if (!ctx.grants) return eb.or([inNamespace, eb('project.id', 'in', directProjectIdsWithAccess(ctx, level))])
  const ids = idsAtLevel(ctx.grants, 'projectId', level)
  return ids.length ? eb.or([inNamespace, isOneOf(ctx.grants.dialect, 'project.id', ids)]) : inNamespace
}

/**
 * The actor has at least `level` on the project, and sees it, on rows of `project`. Reads the actor's grants and the ancestors of
 * the row's namespace, but not the projects of the actor, who can have very many.
 */
export const hasProjectAccess =
  (ctx: PredicateContext, level: number) =>
  (eb: ProjectExpressions): Expression<SqlBool> =>
    ctx.knownLevel === undefined
      ? eb.and([isMember(ctx, level, eb), isShownDuringImport(ctx, eb, 'project.importerId')])
      : eb.lit(ctx.knownLevel >= level)
