import * as v from 'valibot'
import { groupColumns } from '../../../access/namespaces.ts'
import type { Group } from '../../../contract/namespace.ts'
import { matchesSearch } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { type PagingInput, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { parseSearchText } from '../../../kernel/search-text.ts'
import type { GroupQuery } from './group-list.ts'

/** The input of a search for groups. */
export const searchInput = {
  ...pagingEntries,
  /**
   * Words of at least 3 characters and quoted phrases that the name or the path must contain: at most 1,024 characters and
   * 64 words.
   */
  search: v.optional(v.string(), ''),
}

/** A page of groups with the fields that identify them, by name. */
export const groupPage = (
  ctx: Context,
  rows: GroupQuery,
  { search, ...paging }: PagingInput & { readonly search: string },
) => {
  const matches = matchesSearch(ctx.dialect, ['namespace.name', 'namespace.path'], parseSearchText(search))
  const found = matches ? rows.where(matches) : rows
  return paginate(
    found.orderBy('namespace.name').orderBy('namespace.id').select(groupColumns),
    paging,
    (row): Group => row,
  )
}
