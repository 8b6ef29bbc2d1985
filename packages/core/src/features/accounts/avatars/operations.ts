import * as v from 'valibot'
import { instance, pictureOwner } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { lower } from '../../../db/functions.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { exactlyOne, Id } from '../../../kernel/inputs.ts'
import { query } from '../../../kernel/operation.ts'
import type { Picture } from '../../../kernel/picture.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { selectUsers } from '../users/queries.ts'
import { createEmailGravatarUrl } from '../users/user.ts'

const selectAvatars = ({ db }: Context) => db.selectFrom('avatar').select(['fileName', 'mediaType', 'content'])

type Rows = ReturnType<typeof selectAvatars>

const readAvatar = async (rows: Rows): Promise<Picture> => {
  const avatar = await rows.executeTakeFirst()
  if (!avatar) throw notFound('Avatar')
  return avatar
}

const avatarInput = {
  /** Id of the topic. */
  topic: v.optional(Id),
  /** Name of the file; without it, the file of any name. */
  fileName: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
}

const withName = (rows: Rows, fileName: string | undefined): Rows =>
  fileName === undefined ? rows : rows.where('fileName', '=', fileName)

const whereOwner = (rows: Rows, owner: Subjects['project' | 'group' | 'user' | 'instance'], topic = 0): Rows => {
  if (owner.kind === 'project') return rows.where('projectId', '=', owner.project.id)
  if (owner.kind === 'group') return rows.where('groupId', '=', owner.group.id)
  return owner.kind === 'user' ? rows.where('userId', '=', Number(owner.user)) : rows.where('topicId', '=', topic)
}

/** Where the picture of a person is. */
export interface PictureAddress {
  /** URL of the picture; null if there is none. */
  avatarUrl: string | null
}

/** Uploaded pictures. Those at other URLs are only referred to by `avatarUrl`. */
export const avatars = {
  /** Gets the uploaded picture of a project, a group, a user or a topic. */
  get: query({
    on: pictureOwner,
    can: 'avatar.read',
    input: avatarInput,
    rules: [exactlyOne('project', 'group', 'user', 'topic')],
    run: (ctx, { topic, fileName }, owner) =>
      readAvatar(withName(whereOwner(selectAvatars(ctx), owner, topic), fileName)),
  }),

  /**
   * Finds the picture for an e-mail address: that of the user with this public address, otherwise the Gravatar, or none while the
   * setting `avatarserviceEnabled` is off.
   */
  find: query({
    on: instance,
    can: 'avatar.find',
    input: {
      /** The address, regardless of case. */
      email: v.pipe(v.string(), v.maxLength(255)),
      /** Width and height of a Gravatar, 1 to 1,024 points of two pixels each. Default: 40. */
      size: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_024)), 40),
    },
    async run(ctx, { email, size }): Promise<PictureAddress> {
      const rows = selectUsers(ctx).where(lower('publicEmail'), '=', email.trim().toLowerCase())
      const [settings, row] = await awaitAll([getSettings(ctx), rows.orderBy('id').executeTakeFirst()])
      if (row?.avatarUrl) return { avatarUrl: row.avatarUrl }
      return { avatarUrl: settings.avatarserviceEnabled ? createEmailGravatarUrl(email, size) : null }
    },
  }),
}
