import * as v from 'valibot'
import { Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { awardable, toAwardable } from './awardable.ts'
import { addAward, getAward, removeAward } from './mutations.ts'
import { selectAwards, toAward } from './queries.ts'

const awardInput = {
  /** Id of an emoji of the item. */
  award: Id,
}

/** The emoji that users give to items and notes. */
export const awardEmoji = {
  /** Lists the emoji of an item or a note, oldest first. */
  list: query({
    on: awardable,
    can: 'emoji.read',
    input: pagingEntries,
    async run(ctx, paging, subject) {
      const target = toAwardable(subject)
      return paginate(selectAwards(ctx, target), paging, toAward(await getSettings(ctx), target))
    },
  }),

  /** Gets an emoji of an item or a note. */
  get: query({
    on: awardable,
    can: 'emoji.read',
    input: awardInput,
    run: (ctx, { award }, subject) => getAward(ctx, toAwardable(subject), award),
  }),

  /** Gives an emoji to an item or a note. Giving the same emoji again changes nothing. */
  create: command({
    on: awardable,
    can: 'emoji.award',
    serializes: 'project',
    input: {
      /** Emoji name without colons, such as `thumbsup`: 1 to 100 characters of `a-z`, `0-9`, `_`, `+` and `-`. */
      name: v.pipe(v.string(), v.regex(/^[a-z0-9_+-]{1,100}$/)),
      /** Id or username of the user who gives the emoji: required for calls of the host, `forbidden` for users. */
      user: v.optional(v.union([v.number(), v.string()])),
    },
    run: (ctx, input, subject) => addAward(ctx, toAwardable(subject), input),
  }),

  /** Removes an emoji of the current user from an item or a note; administrators remove any. */
  remove: command({
    on: awardable,
    can: 'emoji.award',
    serializes: 'project',
    input: awardInput,
    run: (ctx, { award }, subject) => removeAward(ctx, toAwardable(subject), award),
  }),
}
