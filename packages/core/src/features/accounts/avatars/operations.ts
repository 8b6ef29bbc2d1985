import * as v from 'valibot'
import { pictureOwner } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { query } from '../../../kernel/operation.ts'
import type { Avatar } from './avatar.ts'

const selectAvatars = ({ db }: Context) => db.selectFrom('avatar').select(['fileName', 'mediaType', 'content'])

type Rows = ReturnType<typeof selectAvatars>

const readAvatar = async (rows: Rows): Promise<Avatar> => {
  const avatar = await rows.executeTakeFirst()
  if (!avatar) throw notFound('Avatar')
  return avatar
}

const fileInput = {
  /** Name of the file; without it, the file of any name. */
  fileName: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
}

const withName = (rows: Rows, fileName: string | undefined): Rows =>
  fileName === undefined ? rows : rows.where('fileName', '=', fileName)

const whereOwner = (rows: Rows, owner: Subjects['project' | 'group' | 'user']): Rows => {
  if (owner.kind === 'project') return rows.where('projectId', '=', owner.project.id)
  if (owner.kind === 'group') return rows.where('groupId', '=', owner.group.id)
  return rows.where('userId', '=', Number(owner.user))
}

/** Uploaded pictures. Those at other URLs are only referred to by `avatarUrl`. */
export const avatars = {
  /** Gets the uploaded picture of a project, a group or a user. */
  get: query({
    on: pictureOwner,
    can: 'avatar.read',
    input: fileInput,
    run: (ctx, { fileName }, owner) => readAvatar(withName(whereOwner(selectAvatars(ctx), owner), fileName)),
  }),
}
