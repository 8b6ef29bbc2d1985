import type { Kysely } from 'kysely'
import type { Database } from '../contract/database.ts'
import type { Context } from '../kernel/context.ts'
import { Access } from './levels.ts'
import { type AccessibleProjects, projectIdsWithAccess } from './predicates.ts'

/** A context that shares one lookup of the actor's projects between all conditions of a query. */
export type WithAccessibleProjects<C> = C & {
  readonly accessibleProjects: AccessibleProjects
  /** The list query must start here; every other query starts at `db`. */
  readonly listQuery: Kysely<Database>
}

interface ListDatabase extends Database {
  memberProject: { id: number }
  reporterProject: { id: number }
}

/** For lists over many projects: computes the actor's projects once, in common table expressions that all conditions use. */
export const withAccessibleProjects = <C extends Pick<Context, 'db' | 'actor' | 'now'>>(
  ctx: C,
): WithAccessibleProjects<C> => {
  const { db } = ctx
  const listQuery = db
    .with('memberProject', () => projectIdsWithAccess(ctx, Access.guest))
    .with('reporterProject', () => projectIdsWithAccess(ctx, Access.reporter)) as unknown as Kysely<Database>
  const inner = db as unknown as Kysely<ListDatabase>
  const accessibleProjects = (level: number) => {
    if (level === Access.guest) return inner.selectFrom('memberProject').select('id')
    return level === Access.reporter
      ? inner.selectFrom('reporterProject').select('id')
      : projectIdsWithAccess(ctx, level)
  }
  return { ...ctx, listQuery, accessibleProjects: accessibleProjects as unknown as AccessibleProjects }
}

/** For lists of one project with a loaded access level. */
export const withAccessToProject = <C extends Pick<Context, 'db' | 'actor' | 'now'>>(
  ctx: C,
  { project, access }: { readonly project: { readonly id: number }; readonly access: number },
): WithAccessibleProjects<C> => {
  const accessibleProjects = (level: number) =>
    ctx.db
      .selectFrom('project as accessible')
      .where('accessible.id', '=', access >= level ? project.id : 0)
      .select('accessible.id as id')
  return { ...ctx, listQuery: ctx.db, accessibleProjects: accessibleProjects as unknown as AccessibleProjects }
}
