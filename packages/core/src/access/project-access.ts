import type { Context } from '../kernel/context.ts'
import { type AccessOptions, projectIdsWithAccess } from './access-conditions.ts'
import { withGrants } from './grants.ts'
import { Access } from './levels.ts'

/** For lists of one project with a loaded access level. */
export const withAccessToProject = <C>(ctx: C, { access }: { readonly access: number }): C & AccessOptions => ({
  ...ctx,
  knownLevel: access,
})

const fewProjects = 1_000

/**
 * For lists that start from no other rows than the projects of the instance: members of few projects read only these, and
 * members of many read the list in its order until a page is full.
 */
export const withMemberProjects = async <C extends Context>(ctx: C): Promise<C & AccessOptions> => {
  if (ctx.actor.kind !== 'user') return ctx
  const listCtx = await withGrants(ctx)
  const projects = await projectIdsWithAccess(listCtx, Access.guest).limit(1).offset(fewProjects).execute()
  return { ...listCtx, isMemberOfFew: projects.length === 0 }
}
