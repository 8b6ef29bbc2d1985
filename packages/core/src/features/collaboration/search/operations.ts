import * as v from 'valibot'
import { place } from '../../../access/subjects.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import { Sort } from '../../../kernel/inputs.ts'
import { type InputRule, query } from '../../../kernel/operation.ts'
import { pagingEntries } from '../../../kernel/paging.ts'
import { getCallerKey } from '../../../kernel/rate-limit.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { searchCode } from './code.ts'
import type { SearchPage, SearchScope } from './search-page.ts'
import { searchRows } from './searchers.ts'

/** The kinds of items that a search of each place finds. */
export const searchScopes = {
  instance: ['projects', 'issues', 'merge_requests', 'milestones', 'snippet_titles', 'users'],
  group: ['projects', 'issues', 'merge_requests', 'milestones', 'users'],
  project: ['issues', 'merge_requests', 'milestones', 'notes', 'users', 'blobs', 'commits'],
} as const satisfies Readonly<Record<string, readonly SearchScope[]>>

const allScopes = [...new Set([...searchScopes.instance, ...searchScopes.project])]

interface SearchReference {
  readonly project?: number | string | undefined
  readonly group?: number | string | undefined
  readonly scope: SearchScope
  readonly ref?: string | undefined
}

const getScopes = ({ project, group }: SearchReference): readonly SearchScope[] =>
  project === undefined ? searchScopes[group === undefined ? 'instance' : 'group'] : searchScopes.project

const scopeOfPlace: InputRule<SearchReference> = (input) =>
  getScopes(input).includes(input.scope) ? undefined : { fields: ['scope'], message: 'does not have a valid value' }

const refOfProject: InputRule<SearchReference> = ({ ref, project }) =>
  ref !== undefined && project === undefined ? { fields: ['project'], message: 'is missing' } : undefined

const searchInput = {
  ...pagingEntries,
  /**
   * Words and quoted phrases that an item must contain, in any order; not blank, at most 1,024 characters and 64 words.
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

/** Finds items by words. Results contain only what the current user can read. */
export const search = {
  /**
   * Lists the items of one kind that contain words: in all projects and users, or in those of a group and its subgroups, or in a project, its
   * members and its code. `blobs` are files that contain the text, ignoring case, and `commits` those whose message contains it.
   *
   * @throws PlatformError `not_found` for an unknown `ref`
   */
  list: query({
    on: place,
    can: 'search.run',
    input: {
      ...searchInput,
      /** Kind of the items. Projects are found outside of a project, snippets on the instance, notes and code in a project. */
      scope: v.picklist(allScopes),
      /** The branch, tag or commit SHA of the project to search. Default: the default branch. */
      ref: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
    },
    rules: [scopeOfPlace, refOfProject],
    limit: {
      name: 'search',
      getLimit: async (ctx) => (await getSettings(ctx)).searchRateLimit,
      getKey: (ctx) => getCallerKey(ctx),
      message: 'This endpoint has been requested too many times. Try again later.',
    },
    run: (ctx, { scope, ref, ...options }, subject): Promise<SearchPage | Deferred<SearchPage>> =>
      scope === 'blobs' || scope === 'commits'
        ? searchCode(ctx, scope, { ref, ...options }, subject)
        : searchRows(ctx, subject, scope, options),
  }),
}
