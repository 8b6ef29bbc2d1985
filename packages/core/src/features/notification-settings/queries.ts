import { lower } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import type { NotificationLevel, StoredEvents } from './notification-setting.ts'

/** Where a setting holds; neither for everywhere. */
export interface SettingPlace {
  readonly projectId: number | null
  readonly groupId: number | null
}

export const everywhere: SettingPlace = { projectId: null, groupId: null }

export interface StoredSetting {
  readonly level: NotificationLevel
  readonly notificationEmail: string | null
  readonly events: StoredEvents
}

const at = (ctx: Pick<Context, 'db'>, userId: number, { projectId, groupId }: SettingPlace) =>
  ctx.db
    .selectFrom('notificationSetting')
    .where('userId', '=', userId)
    .where((eb) => eb('projectId', projectId === null ? 'is' : '=', projectId))
    .where((eb) => eb('groupId', groupId === null ? 'is' : '=', groupId))

/** Where nothing was ever set: participating everywhere, and the same in every group and project. */
export const unset = ({ projectId, groupId }: SettingPlace): StoredSetting => ({
  level: projectId === null && groupId === null ? 'participating' : 'global',
  notificationEmail: null,
  events: {},
})

/** What a user has set in a place. */
export async function settingAt(ctx: Context, userId: number, place: SettingPlace): Promise<StoredSetting> {
  const row = await at(ctx, userId, place).select(['level', 'notificationEmail', 'events']).executeTakeFirst()
  return row ?? unset(place)
}

/** Keeps what a user sets in a place. */
export async function keepSetting(
  ctx: Context,
  userId: number,
  place: SettingPlace,
  setting: StoredSetting,
): Promise<void> {
  const known = await at(ctx, userId, place).select('id').executeTakeFirst()
  if (known) {
    await ctx.db
      .updateTable('notificationSetting')
      .set({ ...setting, updatedAt: ctx.now })
      .where('id', '=', known.id)
      .execute()
    return
  }
  await ctx.db
    .insertInto('notificationSetting')
    .values({ userId, ...place, ...setting, createdAt: ctx.now, updatedAt: ctx.now })
    .execute()
}

/** A user's own address and the confirmed ones besides, as the user wrote them. */
export async function addressesOf(ctx: Context, userId: number): Promise<readonly string[]> {
  const own = await ctx.db.selectFrom('user').where('id', '=', userId).select('email').executeTakeFirstOrThrow()
  const more = await ctx.db
    .selectFrom('emailAddress')
    .where('userId', '=', userId)
    .orderBy('id')
    .select('email')
    .execute()
  return [own.email, ...more.map(({ email }) => email)]
}

/** Whether any user has the address. */
export async function isTaken(ctx: Context, email: string): Promise<boolean> {
  const text = email.toLowerCase()
  const user = await ctx.db.selectFrom('user').where(lower('email'), '=', text).select('id').executeTakeFirst()
  const more = await ctx.db.selectFrom('emailAddress').where(lower('email'), '=', text).select('id').executeTakeFirst()
  return user !== undefined || more !== undefined
}
