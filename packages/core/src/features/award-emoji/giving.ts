import type { Context } from '../../kernel/context.ts'
import { userIdOf } from '../issuables/author.ts'
import { settingsInForce } from '../settings/queries.ts'
import type { GivenAward } from './award.ts'
import { type Awardable, awardsOf, toAward } from './queries.ts'

/** Gives an emoji by its name. `changed` is false when the caller had given it already. */
export const give = async (
  ctx: Context,
  target: Awardable,
  { name, user }: { name: string; user?: number | string | undefined },
): Promise<GivenAward> => {
  const userId = await userIdOf(ctx, user)
  const [given] = await ctx.db
    .insertInto('awardEmoji')
    .values({ ...target, userId, name, createdAt: ctx.now })
    .onConflict((key) => key.doNothing())
    .returning('id')
    .execute()
  if (given) await ctx.emit('emoji.given', { ...target, userId, name })
  const row = await awardsOf(ctx, target)
    .where('awardEmoji.userId', '=', userId)
    .where('awardEmoji.name', '=', name)
    .executeTakeFirstOrThrow()
  return { ...toAward(await settingsInForce(ctx))(row), changed: given !== undefined }
}
