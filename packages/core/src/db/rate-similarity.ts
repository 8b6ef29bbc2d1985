import { type AliasableExpression, expressionBuilder } from 'kysely'
import { lower } from './functions.ts'

/** 3 if a column equals the text of a search, regardless of case, 2 if one begins with it, 1 otherwise. */
export const rateSimilarity = (search: string, columns: readonly string[]): AliasableExpression<number> => {
  // biome-ignore lint/suspicious/noExplicitAny: columns of any tables
  const eb = expressionBuilder<any, any>()
  const text = search.trim().toLowerCase()
  const values = columns.map((column) => lower(column))
  const start = (value: (typeof values)[number]) => eb.fn<string>('substr', [value, eb.lit(1), eb.lit(text.length)])
  return eb
    .case()
    .when(eb.or(values.map((value) => eb(value, '=', text))))
    .then(eb.lit(3))
    .when(eb.or(values.map((value) => eb(start(value), '=', text))))
    .then(eb.lit(2))
    .else(eb.lit(1))
    .end()
}
