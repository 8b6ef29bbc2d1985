import { getGroupAccessLevel, getProjectAccessLevel } from '../../../access/actor-level.ts'
import { findActiveActor, findPastActor } from '../../../access/authenticate.ts'
import { Access } from '../../../access/levels.ts'
import type { Project } from '../../../contract/project.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { type DeployKeyActor, getUserId, isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { addInitialRule } from './default-branch.ts'
import type { GrantAction, ReferenceKind } from './protected-reference.ts'
import { type ReferenceRule, readRules, type StoredGrant } from './queries.ts'
import { matchesName } from './reference-names.ts'

type ProjectKey = Pick<Project, 'id' | 'namespaceId'>

/** A user with the levels that decide about protected branches and tags. */
interface Holder {
  readonly userId: number
  readonly admin: boolean
  /** Level on the project. */
  readonly level: number
  /** Levels on the groups that have grants. */
  readonly groupLevels: ReadonlyMap<number, number>
  /** The key with which the holder came; null for a user. */
  readonly deployKeyId: number | null
}

const holdsGrant = ({ userId, admin, level, groupLevels, deployKeyId }: Holder, grant: StoredGrant): boolean => {
  if (grant.deployKeyId !== null) return grant.deployKeyId === deployKeyId
  if (grant.userId !== null) return grant.userId === userId && (admin || level >= Access.developer)
  if (grant.groupId !== null) return (groupLevels.get(grant.groupId) ?? Access.none) >= Access.developer
  if (grant.accessLevel === null || grant.accessLevel === 0) return false
  return admin || level >= grant.accessLevel
}

/** What a user may do with the branches and tags of a project. The host may do everything. */
export interface ReferenceAccess {
  isProtected(kind: ReferenceKind, name: string): boolean
  /** Whether the user may push to a branch, or create it. */
  canPush(branch: string): boolean
  /** Whether the user may merge into a branch. */
  canMerge(branch: string): boolean
  /** Whether the user may replace commits of a branch. */
  canForcePush(branch: string): boolean
  /** Whether the user may delete a branch or tag, if it is not the default branch. */
  canDelete(kind: ReferenceKind, name: string): boolean
  canCreateTag(tag: string): boolean
  /** Whether developers in general may push to or merge into a protected branch. */
  developersCan(action: 'push' | 'merge', branch: string): boolean
}

/** Where several rules cover a name, the most permissive one decides. Projects cannot override the rules of their groups. */
const createAccess = (rules: readonly ReferenceRule[], holder: Holder | null): ReferenceAccess => {
  const findRules = (kind: ReferenceKind, name: string) => {
    const matching = rules.filter((rule) => rule.kind === kind && matchesName(rule.name, name))
    const explicit = matching.filter(({ isFallback }) => !isFallback)
    const inherited = explicit.filter(({ groupId }) => groupId !== null)
    if (inherited.length) return inherited
    return explicit.length ? explicit : matching
  }
  const can = (action: GrantAction, kind: ReferenceKind, name: string) => {
    const matching = findRules(kind, name)
    if (holder === null || matching.length === 0) return true
    return matching.some(({ grants }) => grants.some((grant) => grant.action === action && holdsGrant(holder, grant)))
  }
  const canPush = (branch: string) => can('push', 'branch', branch)
  return {
    isProtected: (kind, name) => findRules(kind, name).length > 0,
    canPush,
    canMerge: (branch) => canPush(branch) || can('merge', 'branch', branch),
    canForcePush: (branch) => {
      const matching = findRules('branch', branch)
      return matching.length === 0 || (canPush(branch) && matching.some(({ allowForcePush }) => allowForcePush))
    },
    canDelete: (kind, name) =>
      holder === null || findRules(kind, name).length === 0 || holder.admin || holder.level >= Access.maintainer,
    canCreateTag: (tag) => can('create', 'tag', tag),
    developersCan: (action, branch) =>
      findRules('branch', branch).some(({ grants }) =>
        grants.some((grant) => grant.action === action && grant.accessLevel === Access.developer),
      ),
  }
}

type Place = Pick<Subjects['group'], 'kind' | 'access'> | { readonly kind: 'project'; readonly project: ProjectKey }

const readHolder = async (
  ctx: Context,
  place: Place,
  userId: number,
  rules: readonly ReferenceRule[],
): Promise<Holder | null> => {
  const actor =
    ctx.actor.kind === 'user' && ctx.actor.id === userId ? ctx.actor : await findPastActor(ctx, userId, 'push')
  if (actor.kind !== 'user') return null
  const userCtx = ctx.actAs(actor)
  const groupIds = new Set(rules.flatMap(({ grants }) => grants.flatMap(({ groupId }) => groupId ?? [])))
  const groupLevels = new Map<number, number>()
  for (const id of groupIds) groupLevels.set(id, await getGroupAccessLevel(userCtx, id))
  const level = place.kind === 'group' ? place.access : await getProjectAccessLevel(userCtx, place.project)
  return { userId, admin: isAdministrator(actor), level, groupLevels, deployKeyId: null }
}

/** A deploy key is no user and has no role. Rules that name it count while its creator has access to the project. */
const readDeployKeyHolder = async (
  ctx: Context,
  project: ProjectKey,
  { sshKeyId, creatorId }: DeployKeyActor,
): Promise<Holder> => {
  const creator = creatorId === null ? undefined : await findActiveActor(ctx, creatorId)
  const isTrusted =
    creator !== undefined &&
    (creator.admin || (await getProjectAccessLevel(ctx.actAs(creator), project)) >= Access.guest)
  const deployKeyId = isTrusted ? sshKeyId : null
  return { userId: 0, admin: false, level: Access.none, groupLevels: new Map(), deployKeyId }
}

/** The access of a user to the branches and tags of a project; with `null`, that of the host. */
export const readReferenceAccess = async (
  ctx: Context,
  project: ProjectKey,
  userId: number | null,
): Promise<ReferenceAccess> => {
  const rules = await addInitialRule(ctx, project, await readRules(ctx, project.id))
  if (ctx.actor.kind === 'deployKey') return createAccess(rules, await readDeployKeyHolder(ctx, project, ctx.actor))
  // The host may do everything, also for another user.
  const isHost = userId === null || ctx.actor.kind === 'system'
  return createAccess(
    rules,
    isHost || !rules.length ? null : await readHolder(ctx, { kind: 'project', project }, userId, rules),
  )
}

/** What the current user may do with the branches and tags of a project. */
export const readViewerAccess = (ctx: Context, project: ProjectKey): Promise<ReferenceAccess> =>
  readReferenceAccess(ctx, project, ctx.actor.kind === 'system' ? null : getUserId(ctx.actor))

/** @throws PlatformError `forbidden` if the rule names who may end the protection, and the current user is not among them */
export const assertMayUnprotect = async (
  ctx: Context,
  subject: Subjects['project' | 'group'],
  rule: ReferenceRule,
): Promise<void> => {
  const grants = rule.grants.filter(({ action }) => action === 'unprotect')
  if (ctx.actor.kind === 'system' || !grants.length) return
  const holder = await readHolder(ctx, subject, getUserId(ctx.actor), [rule])
  if (holder === null || holder.admin || grants.some((grant) => holdsGrant(holder, grant))) return
  throw forbidden('You are not allowed to unprotect this branch.')
}
