import type { CompleteRow } from '../../db/complete-row.ts'
import type { Context } from '../../kernel/context.ts'
import { resolveAuthorId } from '../issuables/author.ts'
import { getSettings } from '../settings/queries.ts'
import type { AwardResult } from './award.ts'
import { type Awardable, selectAwards, toAward } from './queries.ts'

export const addAward = async (
  ctx: Context,
  target: Awardable,
  { name, user }: { name: string; user?: number | string | undefined },
): Promise<AwardResult> => {
  const userId = await resolveAuthorId(ctx, user)
  const [inserted] = await ctx.db
    .insertInto('awardEmoji')
    .values({ ...target, userId, name, createdAt: ctx.now } satisfies CompleteRow<'awardEmoji'>)
    .onConflict((key) => key.doNothing())
    .returning('id')
    .execute()
  if (inserted) await ctx.emit('emoji.awarded', { ...target, userId, name })
  const row = await selectAwards(ctx, target)
    .where('awardEmoji.userId', '=', userId)
    .where('awardEmoji.name', '=', name)
    .executeTakeFirstOrThrow()
  return { ...toAward(await getSettings(ctx))(row), changed: inserted !== undefined }
}
