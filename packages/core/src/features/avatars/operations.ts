import * as v from 'valibot'
import { group, instance, project } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { Id } from '../../kernel/inputs.ts'
import { query } from '../../kernel/operation.ts'
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

/** Uploaded pictures. Those at other URLs are only referred to by `avatarUrl`. */
export const avatars = {
  /** Gets the uploaded picture of a user. */
  getOfUser: query({
    on: instance,
    can: 'avatar.readOfUser',
    input: {
      /** Id of the user. */
      user: Id,
      ...fileInput,
    },
    run: (ctx, { user, fileName }) => readAvatar(withName(selectAvatars(ctx).where('userId', '=', user), fileName)),
  }),

  /** Gets the uploaded picture of a project. */
  getOfProject: query({
    on: project,
    can: 'project.read',
    input: fileInput,
    run: (ctx, { fileName }, { project }) =>
      readAvatar(withName(selectAvatars(ctx).where('projectId', '=', project.id), fileName)),
  }),

  /** Gets the uploaded picture of a group. */
  getOfGroup: query({
    on: group,
    can: 'group.read',
    input: fileInput,
    run: (ctx, { fileName }, { group }) =>
      readAvatar(withName(selectAvatars(ctx).where('groupId', '=', group.id), fileName)),
  }),
}
