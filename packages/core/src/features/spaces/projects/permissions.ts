import { getGroupAccessLevels } from '../../../access/actor-levels.ts'
import { Access } from '../../../access/levels.ts'
import type { Project } from '../../../contract/project.ts'
import { isUnexpired } from '../../../db/functions.ts'
import { getUserId } from '../../../kernel/actor.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import { type Context, today } from '../../../kernel/context.ts'
import type { AccessGrant, ProjectDetails } from './project-record.ts'

type Viewed = Pick<Project, 'id' | 'namespaceId'>
type Permissions = ProjectDetails['permissions']

/** The numbers of notification levels in the API. */
const notificationNumbers = { disabled: 0, participating: 1, watch: 2, global: 3, mention: 4, custom: 5 } as const

const readDirectLevels = async (ctx: Context, projectIds: readonly number[]) => {
  const rows = await ctx.db
    .selectFrom('member')
    .where('projectId', 'in', projectIds)
    .where('userId', '=', getUserId(ctx.actor))
    .where(isUnexpired('expiresAt', today(ctx)))
    .select(['projectId', 'accessLevel'])
    .execute()
  const levels = new Map(rows.map(({ projectId, accessLevel }) => [projectId, accessLevel]))
  return (id: number) => levels.get(id) ?? Access.none
}

const readNotificationNumbers = async (ctx: Context, projectIds: readonly number[], groupIds: readonly number[]) => {
  const rows = await ctx.db
    .selectFrom('notificationSetting')
    .where('userId', '=', getUserId(ctx.actor))
    .where((eb) => eb.or([eb('projectId', 'in', projectIds), eb('groupId', 'in', groupIds)]))
    .select(['projectId', 'groupId', 'level'])
    .execute()
  const find = (column: 'projectId' | 'groupId', id: number) =>
    notificationNumbers[rows.find((row) => row[column] === id)?.level ?? 'global']
  return { ofProject: (id: number) => find('projectId', id), ofGroup: (id: number) => find('groupId', id) }
}

/** For each project, the current user's direct access to it, and their access to its group including inherited levels. */
export const readPermissions = async (
  ctx: Context,
  projects: readonly Viewed[],
): Promise<(project: Viewed) => Permissions> => {
  if (!projects.length || ctx.actor.kind !== 'user') return () => ({ projectAccess: null, groupAccess: null })
  const ids = projects.map(({ id }) => id)
  const namespaceIds = [...new Set(projects.map(({ namespaceId }) => namespaceId))]
  const [projectLevelOf, groupLevelOf, notifications] = await awaitAll([
    readDirectLevels(ctx, ids),
    getGroupAccessLevels(ctx, namespaceIds),
    readNotificationNumbers(ctx, ids, namespaceIds),
  ])
  const toGrant = (accessLevel: number, notificationLevel: number): AccessGrant | null =>
    accessLevel === Access.none ? null : { accessLevel, notificationLevel }
  return ({ id, namespaceId }) => ({
    projectAccess: toGrant(projectLevelOf(id), notifications.ofProject(id)),
    groupAccess: toGrant(groupLevelOf(namespaceId), notifications.ofGroup(namespaceId)),
  })
}
