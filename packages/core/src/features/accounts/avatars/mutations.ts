import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Picture } from '../../../kernel/picture.ts'
import { type AvatarChange, parseAvatar } from './avatar.ts'

const owners = {
  user: { column: 'userId', table: 'user', folder: 'user' },
  project: { column: 'projectId', table: 'project', folder: 'project' },
  group: { column: 'groupId', table: 'namespace', folder: 'group' },
  topic: { column: 'topicId', table: 'topic', folder: 'projects/topic' },
} as const

export type AvatarOwner = keyof typeof owners

const isSamePicture = (avatar: Picture, stored: Picture | undefined): boolean =>
  stored !== undefined &&
  avatar.fileName === stored.fileName &&
  avatar.mediaType === stored.mediaType &&
  avatar.content.equals(stored.content)

/**
 * Stores the uploaded picture of a user, project, group or topic, and makes it the avatar; null removes the avatar. Without an upload,
 * and with the stored picture, nothing changes. The stored URL has no host: the adapter adds that of the site.
 */
export const setAvatar = async (ctx: Context, kind: AvatarOwner, id: number, upload: AvatarChange): Promise<void> => {
  if (upload === undefined) return
  const { column, table, folder } = owners[kind]
  const avatar = upload && parseAvatar(upload)
  const stored = ctx.db.selectFrom('avatar').where(column, '=', id).select(['fileName', 'mediaType', 'content'])
  if (avatar && isSamePicture(avatar, await stored.executeTakeFirst())) return
  await ctx.db.deleteFrom('avatar').where(column, '=', id).execute()
  if (avatar) {
    const row = { userId: null, projectId: null, groupId: null, topicId: null, ...avatar, [column]: id }
    await ctx.db
      .insertInto('avatar')
      .values(row satisfies CompleteRow<'avatar'>)
      .execute()
  }
  const avatarUrl = avatar ? `/uploads/-/system/${folder}/avatar/${id}/${encodeURIComponent(avatar.fileName)}` : null
  await ctx.db
    .updateTable(table as 'user')
    .set({ avatarUrl, ...(kind !== 'topic' && { updatedAt: ctx.now }) })
    .where('id', '=', id)
    .execute()
}
