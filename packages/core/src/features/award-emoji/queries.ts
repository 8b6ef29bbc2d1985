import type { Context } from '../../kernel/context.ts'
import { toUserSummary } from '../accounts/user.ts'
import type { Settings } from '../settings/definition.ts'
import type { Award } from './award.ts'

/** The issue or merge request of an emoji. */
export type Awardable =
  | { readonly issueId: number; readonly mergeRequestId: null }
  | { readonly issueId: null; readonly mergeRequestId: number }

/** Emoji of an issue or a merge request, oldest first. */
export const selectAwards = (ctx: Context, { issueId, mergeRequestId }: Awardable) =>
  ctx.db
    .selectFrom('awardEmoji')
    .innerJoin('user', 'user.id', 'awardEmoji.userId')
    .where((eb) =>
      issueId === null ? eb('awardEmoji.mergeRequestId', '=', mergeRequestId) : eb('awardEmoji.issueId', '=', issueId),
    )
    .orderBy('awardEmoji.id')
    .select([
      'awardEmoji.id',
      'awardEmoji.name',
      'awardEmoji.createdAt',
      'awardEmoji.issueId',
      'awardEmoji.mergeRequestId',
    ])
    .select([
      'user.id as userId',
      'user.username',
      'user.name as userName',
      'user.state',
      'user.avatarUrl',
      'user.email',
    ])

type AwardRow = Awaited<ReturnType<ReturnType<typeof selectAwards>['executeTakeFirstOrThrow']>>

export const toAward =
  (settings: Settings) =>
  (row: AwardRow): Award => ({
    id: row.id,
    name: row.name,
    user: toUserSummary(settings)({ ...row, id: row.userId, name: row.userName }),
    createdAt: row.createdAt,
    awardableId: (row.issueId ?? row.mergeRequestId) as number,
    awardableType: row.issueId === null ? 'MergeRequest' : 'Issue',
  })
