import type { ExpressionBuilder } from 'kysely'
import * as v from 'valibot'
import { groupIdsWithAccess } from '../../../access/access-conditions.ts'
import { Access } from '../../../access/levels.ts'
import { group, instance, namespace, project } from '../../../access/subjects.ts'
import { isShownDuringImport } from '../../../access/unfinished-import.ts'
import type { Database } from '../../../contract/database.ts'
import type { Namespace } from '../../../contract/namespace.ts'
import { matchesSearch } from '../../../db/functions.ts'
import { getUserId, isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { parseSearchText } from '../../../kernel/search-text.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { findMoved, type Place } from './earlier-paths.ts'
import { isPathTaken } from './insert-namespace.ts'
import { withCounts } from './namespace-counts.ts'
import type { NamespaceRecord, PathAvailability } from './namespace-record.ts'

const recordColumns = ['id', 'name', 'path', 'kind', 'fullPath', 'parentId', 'avatarUrl', 'visibility'] as const

/** The current user's personal namespace and the groups of which the current user is a member; all for administrators. */
const isAccessible = (ctx: Context) => (eb: ExpressionBuilder<Database, 'namespace'>) =>
  eb.or([
    eb('namespace.ownerId', '=', getUserId(ctx.actor)),
    eb('namespace.id', 'in', groupIdsWithAccess(ctx, Access.guest)),
  ])

const toRecord = ({ id, name, path, kind, fullPath, parentId, avatarUrl, visibility }: Namespace): NamespaceRecord => ({
  id,
  name,
  path,
  kind,
  fullPath,
  parentId,
  avatarUrl,
  visibility,
})

/** The first free one of `path1` to `path100`. */
const suggestPaths = async (ctx: Context, fullPath: string, path: string): Promise<string[]> => {
  for (let number = 1; number <= 100; number++) {
    if (!(await isPathTaken(ctx, `${fullPath}${number}`))) return [`${path}${number}`]
  }
  return []
}

export const namespaces = {
  /**
   * Finds the project or group that had a full path before it, or a group above it, was renamed or moved.
   *
   * @throws PlatformError `not_found` for a path that nothing visible had, or that something else has now
   */
  locate: query({
    on: instance,
    can: 'project.list',
    // Clients of git follow the move, too.
    scopes: ['read_repository', 'write_repository'],
    input: {
      /** The earlier full path, regardless of case. */
      path: v.string(),
    },
    async run(ctx, { path }): Promise<Place> {
      const place = await findMoved(ctx, path)
      if (!place) throw notFound('')
      const { kind, id } = place
      await (kind === 'project' ? loadVisible(ctx, project, { project: id }) : loadVisible(ctx, group, { group: id }))
      return place
    },
  }),

  /**
   * Lists the current user's personal namespace and the groups of which the current user is a member, ordered by id. Administrators
   * receive all namespaces.
   */
  list: query({
    on: instance,
    can: 'namespace.list',
    input: {
      ...pagingEntries,
      /**
       * Words of at least 3 characters and quoted phrases that the name or the path must contain: at most 1,024
       * characters and 64 words.
       */
      search: v.optional(v.string(), ''),
      /** Whether `search` covers the full path, with the groups above, instead of the path. Default: false. */
      fullPathSearch: v.optional(v.boolean(), false),
      /** Only namespaces of which the current user is the owner. Default: false. */
      ownedOnly: v.optional(v.boolean(), false),
      /** Only personal namespaces and top-level groups. Default: false. */
      topLevelOnly: v.optional(v.boolean(), false),
    },
    async run(ctx, { search, fullPathSearch, ownedOnly, topLevelOnly, ...paging }): Promise<Page<NamespaceRecord>> {
      let rows = ctx.db.selectFrom('namespace').orderBy('namespace.id').select(recordColumns)
      if (ownedOnly) {
        rows = rows.where((eb) =>
          eb.or([
            eb('namespace.ownerId', '=', getUserId(ctx.actor)),
            eb('namespace.id', 'in', groupIdsWithAccess(ctx, Access.owner)),
          ]),
        )
      } else if (!isAdministrator(ctx.actor)) rows = rows.where(isAccessible(ctx))
      rows = rows.where((eb) => isShownDuringImport(ctx, eb, 'namespace.importerId'))
      if (topLevelOnly) rows = rows.where('namespace.parentId', 'is', null)
      const columns = ['namespace.name', fullPathSearch ? 'namespace.fullPath' : 'namespace.path']
      const matches = matchesSearch(ctx.dialect, columns, parseSearchText(search))
      const page = await paginate(matches ? rows.where(matches) : rows, paging, (row): NamespaceRecord => row)
      return { ...page, items: await withCounts(ctx, page.items) }
    },
  }),

  /** Gets a group or a personal namespace that the current user can see, by id or full path. */
  get: query({
    on: namespace,
    can: 'namespace.read',
    async run(ctx, _input, { namespace }): Promise<NamespaceRecord> {
      const record = toRecord(namespace)
      return (await withCounts(ctx, [record]))[0] ?? record
    },
  }),

  /**
   * Checks whether a user or group with a path exists, also one that the current user cannot see. Anyone who creates a group
   * with the path learns the same.
   */
  getPathAvailability: query({
    on: instance,
    can: 'namespace.list',
    input: {
      /** The path: the last segment of the full path, at most 255 characters. */
      path: v.pipe(v.string(), v.nonEmpty(), v.maxLength(255)),
      /** Id of the parent group, which the current user has to see. Default: the top level. */
      parentId: v.optional(Id),
    },
    async run(ctx, { path, parentId }): Promise<PathAvailability> {
      const parent = parentId === undefined ? undefined : await loadVisible(ctx, group, { group: parentId })
      const fullPath = parent ? `${parent.group.fullPath}/${path}` : path
      const exists = await isPathTaken(ctx, fullPath)
      return { exists, suggests: exists ? await suggestPaths(ctx, fullPath, path) : [] }
    },
  }),
}
