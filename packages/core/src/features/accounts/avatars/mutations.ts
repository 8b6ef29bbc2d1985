import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Avatar, type AvatarChange, parseAvatar } from './avatar.ts'

const owners = {
  user: { column: 'userId', table: 'user' },
  project: { column: 'projectId', table: 'project' },
  group: { column: 'groupId', table: 'namespace' },
} as const

export type AvatarOwner = keyof typeof owners

const isSamePicture = (avatar: Avatar, stored: Avatar | undefined): boolean =>
  stored !== undefined &&
  avatar.fileName === stored.fileName &&
  avatar.mediaType === stored.mediaType &&
  avatar.content.equals(stored.content)

/**
 * Stores the uploaded picture of a user, project or group, and makes it the avatar; null removes the avatar. Without an upload,
 * and with the stored picture, nothing changes. The stored URL has no host: the adapter adds that of the site.
 */
export const setAvatar = async (ctx: Context, kind: AvatarOwner, id: number, upload: AvatarChange): Promise<void> => {
  if (upload === undefined) return
  const { column, table } = owners[kind]
  const avatar = upload && parseAvatar(upload)
  const stored = ctx.db.selectFrom('avatar').where(column, '=', id).select(['fileName', 'mediaType', 'content'])
  if (avatar && isSamePicture(avatar, await stored.executeTakeFirst())) return
  await ctx.db.deleteFrom('avatar').where(column, '=', id).execute()
  if (avatar) {
    const row = { userId: null, projectId: null, groupId: null, ...avatar, [column]: id }
    await ctx.db
      .insertInto('avatar')
      .values(row satisfies CompleteRow<'avatar'>)
      .execute()
  }
  const avatarUrl = avatar ? `/uploads/-/system/${kind}/avatar/${id}/${encodeURIComponent(avatar.fileName)}` : null
  await ctx.db
    .updateTable(table as 'user')
    .set({ avatarUrl, updatedAt: ctx.now })
    .where('id', '=', id)
    .execute()
}
