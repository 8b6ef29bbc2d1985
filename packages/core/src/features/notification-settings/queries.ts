import type { CompleteRow } from '../../db/complete-row.ts'
import { lower } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
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
    await ctx.db
      .updateTable('notificationSetting')
      .set({ ...setting, updatedAt: ctx.now })
      .where('id', '=', existing.id)
      .execute()
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

/** A user's primary address, followed by the other confirmed addresses, in their original case. */
export async function readEmailAddresses(ctx: Context, userId: number): Promise<readonly string[]> {
  const user = await ctx.db.selectFrom('user').where('id', '=', userId).select('email').executeTakeFirstOrThrow()
  const extra = await ctx.db
    .selectFrom('emailAddress')
    .where('userId', '=', userId)
    .where('confirmedAt', 'is not', null)
    .orderBy('id')
    .select('email')
    .execute()
  return [user.email, ...extra.map(({ email }) => email)]
}

/**
 * Confirms an additional address that the user has added and that is no primary address. Returns whether there was one to
 * confirm.
 */
export async function confirmEmail(ctx: Context, userId: number, email: string): Promise<boolean> {
  const text = email.toLowerCase()
  const owner = await ctx.db.selectFrom('user').where(lower('email'), '=', text).select('id').executeTakeFirst()
  if (owner) return false
  const rows = await ctx.db
    .updateTable('emailAddress')
    .set({ confirmedAt: ctx.now })
    .where(lower('email'), '=', text)
    .where('userId', '=', userId)
    .where('confirmedAt', 'is', null)
    .returning('id')
    .execute()
  return rows.length > 0
}

/** Whether any user has the address, ignoring case. */
export async function isEmailTaken(ctx: Context, email: string): Promise<boolean> {
  const text = email.toLowerCase()
  const user = await ctx.db.selectFrom('user').where(lower('email'), '=', text).select('id').executeTakeFirst()
  const extra = await ctx.db.selectFrom('emailAddress').where(lower('email'), '=', text).select('id').executeTakeFirst()
  return user !== undefined || extra !== undefined
}
