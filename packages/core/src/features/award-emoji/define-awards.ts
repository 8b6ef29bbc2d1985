import * as v from 'valibot'
import type { Subjects } from '../../contract/subjects.ts'
import { Id } from '../../kernel/inputs.ts'
import { command, query, type SubjectLoader } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { getSettings } from '../settings/queries.ts'
import { addAward, getAward, removeAward } from './mutations.ts'
import { type Awardable, selectAwards, toAward } from './queries.ts'

const giveInput = {
  /** Emoji name without colons, such as `thumbsup`: 1 to 100 characters of `a-z`, `0-9`, `_`, `+` and `-`. */
  name: v.pipe(v.string(), v.regex(/^[a-z0-9_+-]{1,100}$/)),
  /** Id or username of the user who gives the emoji: required for calls of the host, `forbidden` for users. */
  user: v.optional(v.union([v.number(), v.string()])),
}

const awardInput = {
  /** Id of an emoji of the item. */
  award: Id,
}

/** The operations on the emoji of one kind of item. */
export const defineAwardOperations = <
  K extends 'issue' | 'mergeRequest' | 'snippet' | 'epic' | 'note',
  E extends v.ObjectEntries,
  G,
>(
  on: SubjectLoader<K, E, G>,
  toAwardable: (subject: Subjects[K]) => Awardable,
) => ({
  list: query({
    on,
    can: 'emoji.read',
    input: pagingEntries,
    async run(ctx, paging, subject) {
      const target = toAwardable(subject)
      return paginate(selectAwards(ctx, target), paging, toAward(await getSettings(ctx), target))
    },
  }),
  get: query({
    on,
    can: 'emoji.read',
    input: awardInput,
    run: (ctx, { award }, subject) => getAward(ctx, toAwardable(subject), award),
  }),
  give: command({
    on,
    can: 'emoji.award',
    serializes: 'project',
    input: giveInput,
    run: (ctx, input, subject) => addAward(ctx, toAwardable(subject), input),
  }),
  remove: command({
    on,
    can: 'emoji.award',
    serializes: 'project',
    input: awardInput,
    run: (ctx, { award }, subject) => removeAward(ctx, toAwardable(subject), award),
  }),
})
