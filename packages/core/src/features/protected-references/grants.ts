import * as v from 'valibot'
import { getProjectAccessLevel } from '../../access/actor-level.ts'
import { findPastActor } from '../../access/authenticate.ts'
import { Access } from '../../access/levels.ts'
import type { Project } from '../../contract/project.ts'
import type { Context } from '../../kernel/context.ts'
import { PlatformError } from '../../kernel/errors.ts'
import { Id } from '../../kernel/inputs.ts'
import { userSummaries } from '../accounts/queries.ts'
import { type GrantAction, type ReferenceGrant, referenceLevelNames, referenceLevels } from './protected-reference.ts'
import type { NewGrant, StoredGrant } from './queries.ts'

export const Level = v.optional(v.picklist(referenceLevels))

const GrantInput = v.strictObject({
  /** 0 no one, 30 developers and above, 40 maintainers and above, 60 administrators only. */
  accessLevel: Level,
  /** Id of a user with access to the project. */
  userId: v.optional(Id),
  /** Id of a group whose developers and above are meant. */
  groupId: v.optional(Id),
})

/** At most 100 grants, each with exactly one of its fields. */
export const GrantList = v.optional(v.pipe(v.array(GrantInput), v.maxLength(100)))
type GrantInputs = v.InferOutput<typeof GrantList>

const unprocessable = (message: string) => new PlatformError('unprocessable', message)

const findProblem = async (ctx: Context, project: Project, { userId, groupId }: NewGrant) => {
  if (userId !== null) {
    const actor = await findPastActor(ctx, userId, 'grant')
    const isMember =
      actor.kind === 'user' &&
      (actor.admin || (await getProjectAccessLevel({ ...ctx, actor }, project)) >= Access.guest)
    return isMember ? undefined : `user ${userId} cannot access the project`
  }
  if (groupId === null) return undefined
  const row = await ctx.db
    .selectFrom('namespace')
    .where('id', '=', groupId)
    .where('kind', '=', 'group')
    .select('id')
    .executeTakeFirst()
  return row ? undefined : `group ${groupId} does not exist`
}

/**
 * The grants of one action: those of the list and of the level. Without any, the default level.
 *
 * @throws PlatformError `unprocessable` for a grant without exactly one field, and for users without access to the project
 */
export const toGrants = async (
  ctx: Context,
  project: Project,
  action: GrantAction,
  {
    level,
    list = [],
    fallback,
  }: { level: NewGrant['accessLevel'] | undefined; list: GrantInputs; fallback: 40 | null },
): Promise<NewGrant[]> => {
  const grants = list.map((grant): NewGrant => {
    const { accessLevel = null, userId = null, groupId = null } = grant
    if ([accessLevel, userId, groupId].filter((value) => value !== null).length !== 1)
      throw unprocessable(`Each grant to ${action} needs exactly one of access_level, user_id and group_id`)
    return { action, accessLevel, userId, groupId }
  })
  const own = level ?? (grants.length ? null : fallback)
  const all = own === null ? grants : [{ action, accessLevel: own, userId: null, groupId: null }, ...grants]
  for (const grant of all) {
    const problem = await findProblem(ctx, project, grant)
    if (problem !== undefined) throw unprocessable(`Grants to ${action}: ${problem}`)
  }
  return all
}

/** Adds the names of levels, users and groups. */
export const describeGrants = async (
  ctx: Context,
  grants: readonly StoredGrant[],
): Promise<ReadonlyMap<number, ReferenceGrant>> => {
  const users = await userSummaries(
    ctx,
    grants.map(({ userId }) => userId),
  )
  const groupIds = grants.flatMap(({ groupId }) => groupId ?? [])
  const groups = groupIds.length
    ? await ctx.db.selectFrom('namespace').where('id', 'in', groupIds).select(['id', 'name']).execute()
    : []
  const describe = ({ accessLevel, userId, groupId }: StoredGrant) => {
    if (userId !== null) return users.get(userId)?.name ?? ''
    if (groupId !== null) return groups.find(({ id }) => id === groupId)?.name ?? ''
    return accessLevel === null ? '' : referenceLevelNames[accessLevel]
  }
  return new Map(
    grants.map((grant) => {
      const { id, accessLevel, userId, groupId } = grant
      return [id, { id, accessLevel, accessLevelDescription: describe(grant), userId, groupId }]
    }),
  )
}
