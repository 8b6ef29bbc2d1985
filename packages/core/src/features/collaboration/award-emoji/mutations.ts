import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { getUserId, isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden, notFound } from '../../../kernel/errors.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { resolveAuthorId } from '../../planning/issuables/author.ts'
import type { Award, AwardResult } from './award.ts'
import { type Awardable, selectAwards, toAward } from './queries.ts'

const noKeys = { issueId: null, mergeRequestId: null, noteId: null, snippetId: null, epicId: null }

const toKeys = ({ column, id }: Awardable) => ({ ...noKeys, [column]: id })

export const addAward = async (
  ctx: Context,
  target: Awardable,
  { name, user }: { name: string; user?: number | string | undefined },
): Promise<AwardResult> => {
  const userId = await resolveAuthorId(ctx, user)
  const keys = toKeys(target)
  const [inserted] = await ctx.db
    .insertInto('awardEmoji')
    .values({ ...keys, userId, name, createdAt: ctx.now } satisfies CompleteRow<'awardEmoji'>)
    .onConflict((key) => key.doNothing())
    .returning('id')
    .execute()
  if (inserted) await ctx.emit('emoji.awarded', { ...inserted, ...keys, userId, name, createdAt: ctx.now })
  const row = await selectAwards(ctx, target)
    .where('awardEmoji.userId', '=', userId)
    .where('awardEmoji.name', '=', name)
    .executeTakeFirstOrThrow()
  return { ...toAward(await getSettings(ctx), target)(row), changed: inserted !== undefined }
}

export const getAward = async (ctx: Context, target: Awardable, id: number): Promise<Award> => {
  const row = await selectAwards(ctx, target).where('awardEmoji.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return toAward(await getSettings(ctx), target)(row)
}

/** @throws PlatformError `not_found` for an emoji of another item, `forbidden` for one of another user */
export const removeAward = async (ctx: Context, target: Awardable, id: number): Promise<void> => {
  const { user, name, createdAt } = await getAward(ctx, target, id)
  if (user.id !== getUserId(ctx.actor) && !isAdministrator(ctx.actor)) {
    throw forbidden('Only administrators can remove emoji of other users')
  }
  await assertRowUnmodified(ctx, 'awardEmoji', id)
  await ctx.db.deleteFrom('awardEmoji').where('id', '=', id).execute()
  await ctx.emit('emoji.revoked', { id, ...toKeys(target), userId: user.id, name, createdAt })
}
