import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { command, query } from '../../kernel/operation.ts'
import { type CustomAttribute, refuseBadAttribute } from './custom-attribute.ts'
import { aboutHolder, type Holder, holderEntries, holderOf } from './holder.ts'

const attributesOf = (ctx: Context, [column, id]: Holder) =>
  ctx.db.selectFrom('customAttribute').where(column, '=', id).select(['key', 'value'])

const named = { ...holderEntries, key: v.string() }

export const customAttributes = {
  /** All attributes of a user, a group or a project, in the order in which they were first set. */
  list: query({
    on: aboutHolder,
    can: 'customAttribute.manage',
    input: holderEntries,
    run: async (ctx, whose): Promise<readonly CustomAttribute[]> =>
      attributesOf(ctx, await holderOf(ctx, whose))
        .orderBy('id')
        .execute(),
  }),

  /** One attribute. */
  get: query({
    on: aboutHolder,
    can: 'customAttribute.manage',
    input: named,
    async run(ctx, { key, ...whose }): Promise<CustomAttribute> {
      const found = await attributesOf(ctx, await holderOf(ctx, whose))
        .where('key', '=', key)
        .executeTakeFirst()
      if (!found) throw notFound()
      return found
    },
  }),

  /** Sets an attribute, whether or not it was there. */
  set: command({
    on: aboutHolder,
    can: 'customAttribute.manage',
    input: { ...named, value: v.string() },
    async run(ctx, { key, value, ...whose }): Promise<CustomAttribute> {
      const [column, id] = await holderOf(ctx, whose)
      refuseBadAttribute({ key, value })
      const none = { userId: null, groupId: null, projectId: null }
      await ctx.db
        .insertInto('customAttribute')
        .values({ ...none, [column]: id, key, value })
        .onConflict((known) => known.columns([column, 'key']).doUpdateSet({ value }))
        .execute()
      return { key, value }
    },
  }),

  /** Removes an attribute. */
  remove: command({
    on: aboutHolder,
    can: 'customAttribute.manage',
    input: named,
    async run(ctx, { key, ...whose }) {
      const [column, id] = await holderOf(ctx, whose)
      const removed = await ctx.db
        .deleteFrom('customAttribute')
        .where(column, '=', id)
        .where('key', '=', key)
        .returning('id')
        .execute()
      if (!removed.length) throw notFound()
    },
  }),
}
