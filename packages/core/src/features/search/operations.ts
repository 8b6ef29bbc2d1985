import * as v from 'valibot'
import type { IssueScope } from '../../access/issue-rows.ts'
import { group, instance, project } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { Sort } from '../../kernel/inputs.ts'
import { query } from '../../kernel/operation.ts'
import { pagingEntries } from '../../kernel/paging.ts'
import type { SearchPage, SearchScope } from './search-page.ts'
import { type SearchOptions, searchers } from './searchers.ts'

const searchInput = {
  ...pagingEntries,
  /**
   * Words and quoted phrases that an item must contain, in any order; not blank, at most 1,024 characters and 8 words.
   */
  search: v.pipe(
    v.string(),
    v.check((text) => text.trim() !== '', 'is empty'),
  ),
  /** Only issues or merge requests in this state. Default: `all`. */
  state: v.optional(v.picklist(['opened', 'closed', 'merged', 'all']), 'all'),
  /** Only confidential issues (true) or only others (false). Default: both. */
  confidential: v.optional(v.boolean()),
  /** The time by which the list is sorted. */
  orderBy: v.optional(v.picklist(['created_at']), 'created_at'),
  /** `asc` lists the oldest first, `desc` (default) the newest. */
  sort: v.optional(Sort, 'desc'),
}

const run = async (
  ctx: Context,
  { scope, ...options }: SearchOptions & { readonly scope: SearchScope },
  subject: IssueScope,
): Promise<SearchPage> => ({ ...(await searchers[scope](ctx, subject, options)), scope }) as SearchPage

/** Finds items by words. Results contain only what the caller can read. */
export const search = {
  /** Searches all projects and users. */
  overall: query({
    on: instance,
    can: 'search.run',
    input: {
      ...searchInput,
      /** Kind of the items to find. */
      scope: v.picklist(['projects', 'issues', 'merge_requests', 'milestones', 'snippet_titles', 'users']),
    },
    run,
  }),

  /** Searches the projects of a group and its subgroups, and the members of the group. */
  inGroup: query({
    on: group,
    can: 'search.run',
    input: {
      ...searchInput,
      /** Kind of the items to find. */
      scope: v.picklist(['projects', 'issues', 'merge_requests', 'milestones', 'users']),
    },
    run,
  }),

  /** Searches a project and its members. */
  inProject: query({
    on: project,
    can: 'search.run',
    input: {
      ...searchInput,
      /** Kind of the items to find. */
      scope: v.picklist(['issues', 'merge_requests', 'milestones', 'notes', 'users']),
    },
    run,
  }),
}
