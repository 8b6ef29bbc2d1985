import * as v from 'valibot'
import type { IssueScope } from '../../access/issue-rows.ts'
import { group, instance, project } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import type { Deferred } from '../../kernel/deferred.ts'
import { Sort } from '../../kernel/inputs.ts'
import { query } from '../../kernel/operation.ts'
import { pagingEntries } from '../../kernel/paging.ts'
import { searchCode } from './code.ts'
import type { RowScope, SearchPage } from './search-page.ts'
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
  /** Fields of issues and merge requests to search. Default: title and description. Ignored for other kinds. */
  fields: v.optional(v.pipe(v.array(v.picklist(['title'])), v.maxLength(1))),
  /** The time by which the list is sorted. */
  orderBy: v.optional(v.picklist(['created_at']), 'created_at'),
  /** `asc` lists the oldest first, `desc` (default) the newest. */
  sort: v.optional(Sort, 'desc'),
}

const run = async (
  ctx: Context,
  { scope, ...options }: SearchOptions & { readonly scope: RowScope },
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

  /**
   * Searches a project, its members and its code. `blobs` finds files that contain the text, ignoring case, and `commits` those
   * whose message contains it.
   *
   * @throws PlatformError `not_found` for an unknown `ref`
   */
  inProject: query({
    on: project,
    can: 'search.run',
    input: {
      ...searchInput,
      /** Kind of the items to find. */
      scope: v.picklist(['issues', 'merge_requests', 'milestones', 'notes', 'users', 'blobs', 'commits']),
      /** The branch, tag or commit SHA to search. Default: the default branch. */
      ref: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
    },
    run: async (ctx, { scope, ref, ...options }, subject): Promise<SearchPage | Deferred<SearchPage>> =>
      scope === 'blobs' || scope === 'commits'
        ? searchCode(ctx, scope, { ref, ...options }, subject)
        : run(ctx, { scope, ...options }, subject),
  }),
}
