import type { Context } from '../../kernel/context.ts'
import { toUserSummary } from '../accounts/user.ts'
import type { Settings } from '../settings/definition.ts'
import type { Award } from './award.ts'

/** What holds an emoji. */
export type Awardable =
  | { readonly issueId: number; readonly mergeRequestId: null }
  | { readonly issueId: null; readonly mergeRequestId: number }

/** The emoji given to a thing, in the order in which they were given. */
export const awardsOf = (ctx: Context, { issueId, mergeRequestId }: Awardable) =>
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

type Row = Awaited<ReturnType<ReturnType<typeof awardsOf>['executeTakeFirstOrThrow']>>

export const toAward =
  (settings: Settings) =>
  (row: Row): Award => ({
    id: row.id,
    name: row.name,
    user: toUserSummary(settings)({ ...row, id: row.userId, name: row.userName }),
    createdAt: row.createdAt,
    awardableId: (row.issueId ?? row.mergeRequestId) as number,
    awardableType: row.issueId === null ? 'MergeRequest' : 'Issue',
  })
