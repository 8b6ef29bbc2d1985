import { Access } from '../../../access/levels.ts'
import { isUnexpired } from '../../../db/functions.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import { type Context, today } from '../../../kernel/context.ts'

/** Most groups in a claim, so that tokens fit into headers. */
const maxGroups = 1_000

/** Full paths of the groups of a user, for the claims of OpenID Connect. */
export interface GroupClaims {
  /** Groups of which the user is a member, directly or through a group above; at most 1,000. */
  groups: string[]
  /** Groups of which the user is a direct member; at most 1,000. */
  groupsDirect: string[]
  /** Those of `groupsDirect` in which the user is an owner. */
  owner: string[]
  /** Those of `groupsDirect` in which the user is a maintainer. */
  maintainer: string[]
  /** Those of `groupsDirect` in which the user is a developer. */
  developer: string[]
}

/** Reads the groups of a user. */
export const readGroupClaims = async (ctx: Context, userId: number): Promise<GroupClaims> => {
  const memberships = ctx.db
    .selectFrom('member')
    .where('member.userId', '=', userId)
    .where(isUnexpired('member.expiresAt', today(ctx)))
  const [direct, all] = await awaitAll([
    memberships
      .innerJoin('namespace', 'namespace.id', 'member.groupId')
      .orderBy('namespace.fullPath')
      .limit(maxGroups)
      .select(['namespace.fullPath', 'member.accessLevel'])
      .execute(),
    memberships
      .innerJoin('namespaceLineage as down', 'down.ancestorId', 'member.groupId')
      .innerJoin('namespace', 'namespace.id', 'down.namespaceId')
      .distinct()
      .orderBy('namespace.fullPath')
      .limit(maxGroups)
      .select('namespace.fullPath')
      .execute(),
  ])
  const listPaths = (level: number) =>
    direct.filter(({ accessLevel }) => accessLevel === level).map(({ fullPath }) => fullPath)
  return {
    groups: all.map(({ fullPath }) => fullPath),
    groupsDirect: direct.map(({ fullPath }) => fullPath),
    owner: listPaths(Access.owner),
    maintainer: listPaths(Access.maintainer),
    developer: listPaths(Access.developer),
  }
}
