import { getGroupAccessLevel } from '../../access/actor-level.ts'
import { Access } from '../../access/levels.ts'
import type { Project } from '../../contract/project.ts'
import { isUnexpired } from '../../db/functions.ts'
import { getUserId } from '../../kernel/actor.ts'
import { awaitAll } from '../../kernel/await-all.ts'
import { type Context, today } from '../../kernel/context.ts'
import type { AccessGrant, ProjectDetails } from './project-record.ts'

/** The numbers of notification levels in the API. */
const notificationNumbers = { disabled: 0, participating: 1, watch: 2, global: 3, mention: 4, custom: 5 } as const

const toAccessGrant = async (
  ctx: Context,
  level: number,
  column: 'projectId' | 'groupId',
  id: number,
): Promise<AccessGrant | null> => {
  if (level === Access.none) return null
  const setting = await ctx.db
    .selectFrom('notificationSetting')
    .where('userId', '=', getUserId(ctx.actor))
    .where(column, '=', id)
    .select('level')
    .executeTakeFirst()
  return { accessLevel: level, notificationLevel: notificationNumbers[setting?.level ?? 'global'] }
}

const readDirectLevel = async (ctx: Context, { id }: Project): Promise<number> => {
  const row = await ctx.db
    .selectFrom('member')
    .where('projectId', '=', id)
    .where('userId', '=', getUserId(ctx.actor))
    .where(isUnexpired('expiresAt', today(ctx)))
    .select('accessLevel')
    .executeTakeFirst()
  return row?.accessLevel ?? Access.none
}

/** The viewer's direct access to a project, and their access to its group including inherited levels. */
export const readPermissions = async (ctx: Context, project: Project): Promise<ProjectDetails['permissions']> => {
  const { id, namespaceId } = project
  const [directLevel, groupLevel] = await awaitAll([
    readDirectLevel(ctx, project),
    getGroupAccessLevel(ctx, namespaceId),
  ])
  const [projectAccess, groupAccess] = await awaitAll([
    toAccessGrant(ctx, directLevel, 'projectId', id),
    toAccessGrant(ctx, groupLevel, 'groupId', namespaceId),
  ])
  return { projectAccess, groupAccess }
}
