import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import * as v from 'valibot'
import type { CustomAttributeValue } from '../contract/custom-attribute-value.ts'
import { isAdministrator } from '../kernel/actor.ts'
import type { Context } from '../kernel/context.ts'

type OwnerColumn = 'userId' | 'groupId' | 'projectId'

/** The filter of lists of users, groups and projects. */
export const customAttributesFilter = {
  /**
   * Values of custom attributes by key, at most 20, all of which a listed item must have. Ignored unless the current user is an
   * administrator.
   */
  customAttributes: v.optional(v.pipe(v.record(v.string(), v.string()), v.maxEntries(20))),
}

/** The conditions of `customAttributesFilter` on rows of owners with the id `ownerId`. */
export const matchCustomAttributes = (
  ctx: Context,
  column: OwnerColumn,
  ownerId: Expression<number>,
  attributes: Readonly<Record<string, string>> = {},
): Expression<SqlBool>[] => {
  if (!isAdministrator(ctx.actor)) return []
  const owned = ctx.db.selectFrom('customAttribute').where(`customAttribute.${column}`, '=', ownerId)
  return Object.entries(attributes).map(([key, value]) => {
    const found = owned.where('customAttribute.key', '=', key).where('customAttribute.value', '=', value)
    return expressionBuilder().exists(found.select('customAttribute.id'))
  })
}

/** The custom attributes of each owner. */
export const readCustomAttributes = async (
  ctx: Context,
  column: OwnerColumn,
  ids: readonly number[],
): Promise<(id: number) => readonly CustomAttributeValue[]> => {
  const rows = await ctx.db
    .selectFrom('customAttribute')
    .where(column, 'in', ids)
    .orderBy('id')
    .select([`${column} as ownerId`, 'key', 'value'])
    .execute()
  const byOwner = Map.groupBy(rows, ({ ownerId }) => ownerId)
  return (id) => (byOwner.get(id) ?? []).map(({ key, value }) => ({ key, value }))
}
