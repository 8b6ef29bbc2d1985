import { Access } from '../../access/levels.ts'
import { accessToGroup } from '../../access/membership.ts'
import { personId } from '../../kernel/actor.ts'
import { type Context, today } from '../../kernel/context.ts'
import type { Project } from './project.ts'
import type { HeldLevel, ProjectDetails } from './record.ts'

/** Numbers that clients know the levels by. */
const notificationNumbers = { disabled: 0, participating: 1, watch: 2, global: 3, mention: 4, custom: 5 } as const

const held = async (
  ctx: Context,
  level: number,
  column: 'projectId' | 'groupId',
  id: number,
): Promise<HeldLevel | null> => {
  if (level === Access.none) return null
  const setting = await ctx.db
    .selectFrom('notificationSetting')
    .where('userId', '=', personId(ctx.actor))
    .where(column, '=', id)
    .select('level')
    .executeTakeFirst()
  return { accessLevel: level, notificationLevel: notificationNumbers[setting?.level ?? 'global'] }
}

const directLevel = async (ctx: Context, { id }: Project): Promise<number> => {
  const row = await ctx.db
    .selectFrom('member')
    .where('projectId', '=', id)
    .where('userId', '=', personId(ctx.actor))
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', today(ctx))]))
    .select('accessLevel')
    .executeTakeFirst()
  return row?.accessLevel ?? Access.none
}

/** What the reader holds on a project itself, and on its group with all groups above. */
export const permissionsOn = async (ctx: Context, project: Project): Promise<ProjectDetails['permissions']> => ({
  projectAccess: await held(ctx, await directLevel(ctx, project), 'projectId', project.id),
  groupAccess: await held(ctx, await accessToGroup(ctx, project.namespaceId), 'groupId', project.namespaceId),
})
