import * as v from 'valibot'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { LongText } from '../../../kernel/text-limits.ts'
import { attributeOwner, findOwner, type OwnerColumn, ownerEntries } from './attribute-owner.ts'
import { assertValidAttribute, type CustomAttribute } from './custom-attribute.ts'

const selectAttributes = (ctx: Context, [column, id]: OwnerColumn) =>
  ctx.db.selectFrom('customAttribute').where(column, '=', id).select(['key', 'value'])

const attributeKeyInput = {
  ...ownerEntries,
  /** Not blank, at most 255 characters; case-sensitive. */
  key: v.string(),
}

export const customAttributes = {
  /** Lists the custom attributes of a user, a group or a project, in the order of their creation. */
  list: query({
    on: attributeOwner,
    can: 'customAttribute.manage',
    input: { ...ownerEntries, ...pagingEntries },
    async run(ctx, { page, perPage, ...owner }): Promise<Page<CustomAttribute>> {
      const rows = selectAttributes(ctx, await findOwner(ctx, owner)).orderBy('id')
      return paginate(rows, { page, perPage }, (row) => row)
    },
  }),

  /** Gets a custom attribute of a user, a group or a project. */
  get: query({
    on: attributeOwner,
    can: 'customAttribute.manage',
    input: attributeKeyInput,
    async run(ctx, { key, ...owner }): Promise<CustomAttribute> {
      const row = await selectAttributes(ctx, await findOwner(ctx, owner))
        .where('key', '=', key)
        .executeTakeFirst()
      if (!row) throw notFound()
      return row
    },
  }),

  /** Creates a custom attribute, or replaces its value. */
  set: command({
    on: attributeOwner,
    can: 'customAttribute.manage',
    input: {
      ...attributeKeyInput,
      /** New value: any text that is not blank, of at most 1,000,000 characters. */
      value: LongText,
    },
    async run(ctx, { key, value, ...owner }): Promise<CustomAttribute> {
      const [column, id] = await findOwner(ctx, owner)
      assertValidAttribute({ key, value })
      const noOwner = { userId: null, groupId: null, projectId: null }
      await ctx.db
        .insertInto('customAttribute')
        .values({ ...noOwner, [column]: id, key, value } satisfies CompleteRow<'customAttribute'>)
        .onConflict((conflict) => conflict.columns([column, 'key']).doUpdateSet({ value }))
        .execute()
      return { key, value }
    },
  }),

  /** Removes a custom attribute; `not_found` if it does not exist. */
  remove: command({
    on: attributeOwner,
    can: 'customAttribute.manage',
    input: attributeKeyInput,
    async run(ctx, { key, ...owner }) {
      const [column, id] = await findOwner(ctx, owner)
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
