import * as v from 'valibot'
import { getGroupAccessLevel } from '../../../access/actor-level.ts'
import { findActiveActor } from '../../../access/authenticate.ts'
import { Access } from '../../../access/levels.ts'
import { readableGroups } from '../../../access/predicates.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { PlatformError } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { canAccessProject, readGranteeNames } from '../../accounts/users/grantees.ts'
import {
  type GrantAction,
  type ProtectedBranch,
  type ReferenceGrant,
  referenceLevelNames,
  referenceLevels,
} from './protected-reference.ts'
import { type NewGrant, noGrantee, type ReferenceRule, type StoredGrant } from './queries.ts'

export const Level = v.optional(v.picklist(referenceLevels))

const grantEntries = {
  /** 0 no one, 30 developers and above, 40 maintainers and above, 60 administrators only. */
  accessLevel: Level,
  /** Id of a user with access to the project or group. */
  userId: v.optional(Id),
  /** Id of a group; its developers and above are meant. */
  groupId: v.optional(Id),
}

const toGrantList = <E extends v.ObjectEntries>(entries: E) =>
  v.optional(v.pipe(v.array(v.strictObject(entries)), v.maxLength(100)))

/** At most 100 grants, each with exactly one of its fields. */
export const GrantList = toGrantList(grantEntries)

/** The same for what clients of git do: also deploy keys. */
export const PushGrantList = toGrantList({
  ...grantEntries,
  /** Id of a deploy key of the project that may push. It needs a creator with access to the project. */
  deployKeyId: v.optional(Id),
})

const unprocessable = (message: string) => new PlatformError('unprocessable', message)

const canAccess = async (ctx: Context, subject: Subjects['project' | 'group'], userId: number) => {
  if (subject.kind === 'project') return canAccessProject(ctx, subject.project, userId)
  const user = await findActiveActor(ctx, userId)
  return user !== undefined && (await getGroupAccessLevel(ctx.actAs(user), subject.group.id)) > Access.none
}

const canPush = async (ctx: Context, subject: Subjects['project' | 'group'], deployKeyId: number) => {
  if (subject.kind === 'group') return false
  const keys = ctx.db.selectFrom('deployKeyProject').where('deployKeyId', '=', deployKeyId)
  const key = await keys.where('projectId', '=', subject.project.id).select('canPush').executeTakeFirst()
  return key?.canPush === true
}

const findProblem = async (ctx: Context, subject: Subjects['project' | 'group'], grant: NewGrant) => {
  const { userId, groupId, deployKeyId } = grant
  if (deployKeyId !== null)
    return (await canPush(ctx, subject, deployKeyId))
      ? undefined
      : `deploy key ${deployKeyId} cannot push to the ${subject.kind}`
  if (userId !== null)
    return (await canAccess(ctx, subject, userId)) ? undefined : `user ${userId} cannot access the ${subject.kind}`
  if (groupId === null) return undefined
  const row = await ctx.db
    .selectFrom('namespace')
    .where('namespace.id', '=', groupId)
    .where('namespace.kind', '=', 'group')
    .where(readableGroups(ctx))
    .select('namespace.id')
    .executeTakeFirst()
  return row ? undefined : `group ${groupId} does not exist`
}

/** The grants of one action, as the current user gives them. */
interface RequestedGrants {
  readonly level: NewGrant['accessLevel'] | undefined
  readonly list: v.InferOutput<typeof PushGrantList>
  /** The level without any grant. */
  readonly defaultLevel: 40 | null
}

/** The grants of the list and of the level; without any, the default level. */
const toGrantsOf = async (
  ctx: Context,
  subject: Subjects['project' | 'group'],
  action: GrantAction,
  { level, list = [], defaultLevel }: RequestedGrants,
): Promise<NewGrant[]> => {
  const grants = list.map((grant): NewGrant => {
    const { accessLevel = null, userId = null, groupId = null, deployKeyId = null } = grant
    if ([accessLevel, userId, groupId, deployKeyId].filter((value) => value !== null).length !== 1)
      throw unprocessable(`Each grant to ${action} needs exactly one of its fields`)
    return { action, accessLevel, userId, groupId, deployKeyId }
  })
  const own = level ?? (grants.length ? null : defaultLevel)
  const all = own === null ? grants : [{ action, accessLevel: own, ...noGrantee }, ...grants]
  for (const grant of all) {
    const problem = await findProblem(ctx, subject, grant)
    if (problem !== undefined) throw unprocessable(`Grants to ${action}: ${problem}`)
  }
  return all
}

/**
 * The grants of several actions.
 *
 * @throws PlatformError `unprocessable` for a grant without exactly one field, and for users without access to the project
 */
export const toGrants = async (
  ctx: Context,
  subject: Subjects['project' | 'group'],
  requested: Partial<Record<GrantAction, RequestedGrants>>,
): Promise<NewGrant[]> => {
  const grants = []
  for (const [action, request] of Object.entries(requested) as [GrantAction, RequestedGrants][])
    grants.push(...(await toGrantsOf(ctx, subject, action, request)))
  return grants
}

const readTitles = async (ctx: Context, rules: readonly ReferenceRule[]): Promise<ReadonlyMap<number, string>> => {
  const ids = rules.flatMap(({ grants }) => grants.flatMap(({ deployKeyId }) => deployKeyId ?? []))
  if (!ids.length) return new Map()
  const rows = await ctx.db.selectFrom('sshKey').where('id', 'in', ids).select(['id', 'title']).execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
}

/** Adds the names of levels, users, groups and deploy keys, and returns a function that selects the grants of a rule for one action. */
export const describeGrants = async (
  ctx: Context,
  rules: readonly ReferenceRule[],
): Promise<(rule: ReferenceRule, action: GrantAction) => ReferenceGrant[]> => {
  const nameOf = await readGranteeNames(
    ctx,
    rules.flatMap(({ grants }) => grants),
  )
  const titles = await readTitles(ctx, rules)
  const describe = ({ accessLevel, deployKeyId, ...grantee }: StoredGrant) => {
    if (deployKeyId !== null) return titles.get(deployKeyId) ?? ''
    return accessLevel === null ? nameOf(grantee) : referenceLevelNames[accessLevel]
  }
  return ({ grants }, action) =>
    grants
      .filter((grant) => grant.action === action)
      .map((grant) => {
        const { action: _, ...fields } = grant
        const accessLevel = fields.deployKeyId === null ? fields.accessLevel : Access.maintainer
        return { ...fields, accessLevel, accessLevelDescription: describe(grant) }
      })
}

/** Protected branches with their grants by action, as a project or a group shows them. */
export const toProtectedBranches = async (
  ctx: Context,
  rules: readonly ReferenceRule[],
  shownBy: 'project' | 'group' = 'project',
): Promise<ProtectedBranch[]> => {
  const grantsOf = await describeGrants(ctx, rules)
  return rules.map((rule) => ({
    id: rule.id,
    name: rule.name,
    pushAccessLevels: grantsOf(rule, 'push'),
    mergeAccessLevels: grantsOf(rule, 'merge'),
    unprotectAccessLevels: grantsOf(rule, 'unprotect'),
    allowForcePush: rule.allowForcePush,
    codeOwnerApprovalRequired: rule.codeOwnerApprovalRequired,
    inherited: shownBy === 'project' && rule.groupId !== null,
  }))
}
