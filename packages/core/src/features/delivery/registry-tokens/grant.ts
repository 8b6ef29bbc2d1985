import type { Context } from '../../../kernel/context.ts'
import type { NamedScope } from '../../../kernel/scopes.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { findPathOwners } from '../container-repositories/discovery.ts'
import { registry } from '../container-repositories/subject.ts'
import type { RegistryAccess, RegistryAction } from './scope.ts'

/** The ability of each action, and the scopes of tokens that permit it, beside `api`. */
const requirements = {
  pull: { ability: 'registry.read', scopes: ['read_registry', 'read_api', 'job_token'] },
  push: { ability: 'registry.push', scopes: ['write_registry', 'job_token'] },
  delete: { ability: 'registry.untag', scopes: ['job_token'] },
  '*': { ability: 'registry.clean', scopes: [] },
} as const satisfies Readonly<Record<RegistryAction, { ability: string; scopes: readonly NamedScope[] }>>

const hasScope = ({ actor }: Context, scopes: readonly NamedScope[]): boolean => {
  if (!('scopes' in actor) || actor.scopes === null) return true
  const granted: readonly string[] = actor.scopes
  return granted.includes('api') || scopes.some((scope) => granted.includes(scope))
}

/** A job changes images of its own project only; which others it reads is a setting of those projects. */
const isClosedToJob = ({ actor }: Context, action: RegistryAction, projectId: number) =>
  action !== 'pull' && actor.kind === 'user' && actor.job !== undefined && actor.job.projectId !== projectId

const grantRepository = async (
  ctx: Context,
  { actions, ...scope }: RegistryAccess,
  projectId: number,
): Promise<RegistryAccess> => {
  const subject = await registry.load(ctx, { project: projectId })
  const granted = actions.filter((action) => {
    const { ability, scopes } = requirements[action]
    return hasScope(ctx, scopes) && !isClosedToJob(ctx, action, projectId) && hasAbility(ctx.actor, subject, ability)
  })
  return { ...scope, actions: granted }
}

const isAdministrator = ({ actor }: Context) => actor.kind === 'user' && actor.admin

/** The part of the requested access that the current user has. The host has all of it, also to paths without a project. */
export const grantAccess = async (
  ctx: Context,
  requested: readonly RegistryAccess[],
): Promise<readonly RegistryAccess[]> => {
  if (ctx.actor.kind === 'system') return requested
  const paths = requested.flatMap(({ type, name }) => (type === 'repository' ? [name] : []))
  const owners = await findPathOwners(ctx, paths)
  const granted: RegistryAccess[] = []
  for (const scope of requested) {
    const owner = owners.get(scope.name)
    if (scope.type === 'registry') {
      if (isAdministrator(ctx) && hasScope(ctx, [])) granted.push(scope)
    } else if (owner) granted.push(await grantRepository(ctx, scope, owner.projectId))
  }
  return granted.filter(({ actions }) => actions.length > 0)
}
