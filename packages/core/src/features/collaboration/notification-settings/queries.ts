import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import type { NotificationLevel, StoredEvents } from './notification-setting.ts'

/** Where a setting applies; globally if both are null. */
export interface SettingScope {
  readonly projectId: number | null
  readonly groupId: number | null
}

export const globalScope: SettingScope = { projectId: null, groupId: null }

export interface StoredSetting {
  readonly level: NotificationLevel
  readonly notificationEmail: string | null
  readonly events: StoredEvents
}

const selectSetting = (ctx: Pick<Context, 'db'>, userId: number, { projectId, groupId }: SettingScope) =>
  ctx.db
    .selectFrom('notificationSetting')
    .where('userId', '=', userId)
    .where((eb) => eb('projectId', projectId === null ? 'is' : '=', projectId))
    .where((eb) => eb('groupId', groupId === null ? 'is' : '=', groupId))

/** The setting of a user who has set nothing. */
export const defaultSetting = ({ projectId, groupId }: SettingScope): StoredSetting => ({
  level: projectId === null && groupId === null ? 'participating' : 'global',
  notificationEmail: null,
  events: {},
})

export async function readSetting(ctx: Context, userId: number, scope: SettingScope): Promise<StoredSetting> {
  const row = await selectSetting(ctx, userId, scope)
    .select(['level', 'notificationEmail', 'events'])
    .executeTakeFirst()
  return row ?? defaultSetting(scope)
}

export async function storeSetting(
  ctx: Context,
  userId: number,
  scope: SettingScope,
  setting: StoredSetting,
): Promise<void> {
  const existing = await selectSetting(ctx, userId, scope).select('id').executeTakeFirst()
  if (existing) {
    await updateChanged(ctx, 'notificationSetting', existing.id, setting)
    return
  }
  await ctx.db
    .insertInto('notificationSetting')
    .values({
      userId,
      ...scope,
      ...setting,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    } satisfies CompleteRow<'notificationSetting'>)
    .execute()
}
