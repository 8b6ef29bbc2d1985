import type { Context } from '../../../kernel/context.ts'
import { toUserSummary } from '../../accounts/users/user.ts'
import type { Settings } from '../../administration/settings/definition.ts'
import type { Award } from './award.ts'

const awardableTypes = {
  issueId: 'Issue',
  mergeRequestId: 'MergeRequest',
  noteId: 'Note',
  snippetId: 'Snippet',
  epicId: 'Epic',
} as const

/** The item of an emoji: the foreign key column, and the id. */
export interface Awardable {
  readonly column: keyof typeof awardableTypes
  readonly id: number
}

/** Emoji of an item, oldest first. */
export const selectAwards = (ctx: Context, { column, id }: Awardable) =>
  ctx.db
    .selectFrom('awardEmoji')
    .innerJoin('user', 'user.id', 'awardEmoji.userId')
    .where(`awardEmoji.${column}`, '=', id)
    .orderBy('awardEmoji.id')
    .select(['awardEmoji.id', 'awardEmoji.name', 'awardEmoji.createdAt'])
    .select([
      'user.id as userId',
      'user.username',
      'user.name as userName',
      'user.state',
      'user.avatarUrl',
      'user.publicEmail',
    ])

type AwardRow = Awaited<ReturnType<ReturnType<typeof selectAwards>['executeTakeFirstOrThrow']>>

export const toAward =
  (settings: Settings, { column, id }: Awardable) =>
  (row: AwardRow): Award => ({
    id: row.id,
    name: row.name,
    user: toUserSummary(settings)({ ...row, id: row.userId, name: row.userName }),
    createdAt: row.createdAt,
    awardableId: id,
    awardableType: awardableTypes[column],
  })
