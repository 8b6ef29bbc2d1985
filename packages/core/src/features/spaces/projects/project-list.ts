import type { ExpressionBuilder } from 'kysely'
import * as v from 'valibot'
import { type AccessOptions, hasProjectAccess } from '../../../access/access-conditions.ts'
import { customAttributesFilter, matchCustomAttributes } from '../../../access/custom-attributes.ts'
import { Access, minimumLevels, visibilities } from '../../../access/levels.ts'
import { isFeatureReadable, readableProjects } from '../../../access/predicates.ts'
import { projectColumns } from '../../../access/projects.ts'
import type { Database } from '../../../contract/database.ts'
import type { Project } from '../../../contract/project.ts'
import { jsonText, lower, matchesSearch } from '../../../db/functions.ts'
import { getUserId, isAdministrator } from '../../../kernel/actor.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { DateOnly, Id, Instant, normalizeInstant, Sort } from '../../../kernel/inputs.ts'
import { keysetEntries, type Page, paginateByKeys } from '../../../kernel/paging.ts'
import { parseSearchText } from '../../../kernel/search-text.ts'
import { readPermissions } from './permissions.ts'
import { orders, projectSortKeys } from './project-order.ts'
import type { ProjectRecord, ProjectWithAccess } from './project-record.ts'
import { readProjectRecords } from './record-queries.ts'

/** Filters and ordering of every project list: specification 2, "Groups". */
export const projectFilters = {
  ...keysetEntries,
  /** Only archived projects (true) or only others (false). Default: both. */
  archived: v.optional(v.boolean()),
  /** Only projects that are neither archived nor being removed (true), or only others (false). Default: both. */
  active: v.optional(v.boolean()),
  /** Only projects that were marked for deletion on this day, such as `2026-11-21`. */
  markedForDeletionOn: v.optional(DateOnly),
  /** Only projects with this visibility. */
  visibility: v.optional(v.picklist(visibilities)),
  /**
   * The field by which the list is sorted; equal values by id. `similarity` to the text of `search`: equal names and paths, then
   * those that begin with it; without `search` as `created_at`. Sizes are for administrators; as `created_at` for other callers.
   */
  orderBy: v.optional(v.picklist(orders), 'created_at'),
  /** `asc` sorts ascending, `desc` descending. */
  sort: v.optional(Sort, 'desc'),
  /** Words that the name, path or description contains, in any order; at most 1,024 characters and 64 words. */
  search: v.optional(v.string()),
  /**
   * Whether responses over HTTP contain only the identifying fields. The records of the library are always complete.
   */
  simple: v.optional(v.boolean(), false),
  /** Only projects that the current user has starred. */
  starred: v.optional(v.boolean(), false),
  /** Only projects with issues that the current user can use. */
  withIssuesEnabled: v.optional(v.boolean(), false),
  /**
   * Only projects with merge requests that are enabled for everyone, or for members if the current user is a reporter or
   * above.
   */
  withMergeRequestsEnabled: v.optional(v.boolean(), false),
  /**
   * Only projects on which the current user has at least this level: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50
   * owner. 15 as 20.
   */
  minAccessLevel: v.optional(v.picklist(minimumLevels)),
  /** Names of topics, all of which a project must have, regardless of case; at most 20. Default: any topics. */
  topic: v.optional(v.pipe(v.array(v.string()), v.maxLength(20))),
  /** Only projects with the topic of this id. */
  topicId: v.optional(Id),
  /** Only projects whose default branch has code in this programming language, regardless of case. */
  withProgrammingLanguage: v.optional(v.pipe(v.string(), v.maxLength(255))),
  /** Only projects with a greater id. */
  idAfter: v.optional(Id),
  /** Only projects with a smaller id. */
  idBefore: v.optional(Id),
  /** Only projects with activity at this time or later; ISO 8601, UTC without an offset. */
  lastActivityAfter: v.optional(Instant),
  /** Only projects without activity after this time; ISO 8601, UTC without an offset. */
  lastActivityBefore: v.optional(Instant),
  /** Only projects changed at this time or later; ISO 8601, UTC without an offset. */
  updatedAfter: v.optional(Instant),
  /** Only projects last changed at this time or earlier; ISO 8601, UTC without an offset. */
  updatedBefore: v.optional(Instant),
  /** Whether `search` covers the paths of the namespaces of the projects, too. Default: false. */
  searchNamespaces: v.optional(v.boolean()),
  /** Only projects on which the current user has at least guest access. Default: false. */
  membership: v.optional(v.boolean()),
  /** Only projects on which the current user has owner access; includes `membership`. Default: false. */
  owned: v.optional(v.boolean()),
  /** Whether to include the custom attributes. For administrators; ignored for other callers. */
  withCustomAttributes: v.optional(v.boolean(), false),
  /** Whether to include the statistics of projects of which the current user is at least a reporter. Default: false. */
  statistics: v.optional(v.boolean()),
  /** Only projects whose repository is in the storage of this name. For administrators; ignored for other callers. */
  repositoryStorage: v.optional(v.pipe(v.string(), v.maxLength(255))),
  /** Only projects that the current user imported, from an archive or a repository. Default: false. */
  imported: v.optional(v.boolean()),
  /** Without effect: projects that are marked for deletion are listed, and those that are being removed are in no list. */
  includePendingDelete: v.optional(v.boolean()),
  /** Without effect: the platform hides no projects. */
  includeHidden: v.optional(v.boolean()),
  /** Only projects with a wrong checksum of the repository: none, because the platform calculates no checksums. Default: false. */
  repositoryChecksumFailed: v.optional(v.boolean()),
  /** Only projects with a wrong checksum of the wiki: none, because the platform calculates no checksums. Default: false. */
  wikiChecksumFailed: v.optional(v.boolean()),
  ...customAttributesFilter,
}

const FiltersSchema = v.object(projectFilters)
type ProjectListOptions = v.InferOutput<typeof FiltersSchema>

/** A page of projects. `simple`: the current user requested only the identifying fields. */
export interface ProjectPage<T extends ProjectRecord = ProjectRecord> extends Page<T> {
  /** Whether the current user requested only the identifying fields. */
  readonly simple: boolean
}

type ProjectExpressionBuilder = ExpressionBuilder<Database, 'project'>

export const isStarredBy = (ctx: Context, userId: number) => (eb: ProjectExpressionBuilder) =>
  eb('project.id', 'in', ctx.db.selectFrom('projectStar').where('userId', '=', userId).select('projectStar.projectId'))

/** The user has acted in the project within a year. */
export const isContributedBy = (ctx: Context, userId: number) => (eb: ProjectExpressionBuilder) => {
  const yearAgo = new Date(ctx.now)
  yearAgo.setUTCFullYear(yearAgo.getUTCFullYear() - 1)
  const events = ctx.db.selectFrom('event').where('authorId', '=', userId)
  return eb('project.id', 'in', events.where('createdAt', '>=', yearAgo.toISOString()).select('event.projectId'))
}

const searchedColumns = ['project.name', 'project.path', 'project.description']

/** Projects that the current user can see; lists add their own conditions. */
export const selectReadableProjects = (ctx: Context) => ctx.db.selectFrom('project').where(readableProjects(ctx))

export type ProjectRows = ReturnType<typeof selectReadableProjects>

const filterByPosition = (rows: ProjectRows, filters: ProjectListOptions): ProjectRows => {
  const { idAfter, idBefore, lastActivityAfter, lastActivityBefore, updatedAfter, updatedBefore } = filters
  let filtered = rows
  if (updatedAfter !== undefined) filtered = filtered.where('project.updatedAt', '>=', normalizeInstant(updatedAfter))
  if (updatedBefore !== undefined) filtered = filtered.where('project.updatedAt', '<=', normalizeInstant(updatedBefore))
  if (idAfter !== undefined) filtered = filtered.where('project.id', '>', idAfter)
  if (idBefore !== undefined) filtered = filtered.where('project.id', '<', idBefore)
  if (lastActivityAfter !== undefined)
    filtered = filtered.where('project.lastActivityAt', '>=', normalizeInstant(lastActivityAfter))
  if (lastActivityBefore !== undefined)
    filtered = filtered.where('project.lastActivityAt', '<=', normalizeInstant(lastActivityBefore))
  return filtered
}

const filterByTopics = (ctx: Context, rows: ProjectRows, { topic = [], topicId }: ProjectListOptions): ProjectRows => {
  const withTopics = ctx.db.selectFrom('projectTopic').select('projectTopic.projectId')
  let filtered = rows
  for (const name of topic) {
    const topics = ctx.db.selectFrom('topic').where(lower('name'), '=', name.trim().toLowerCase()).select('topic.id')
    filtered = filtered.where('project.id', 'in', withTopics.where('projectTopic.topicId', 'in', topics))
  }
  return topicId === undefined
    ? filtered
    : filtered.where('project.id', 'in', withTopics.where('projectTopic.topicId', '=', topicId))
}

const applyFilters = (ctx: Context, rows: ProjectRows, filters: ProjectListOptions): ProjectRows => {
  const { archived, active, visibility, search = '', starred, minAccessLevel } = filters
  let filtered = filterByTopics(ctx, filterByPosition(rows, filters), filters)
  if (archived !== undefined) filtered = filtered.where('project.archived', '=', archived)
  // Projects that are being removed are in no list.
  if (active !== undefined) filtered = filtered.where('project.archived', '=', !active)
  if (filters.markedForDeletionOn !== undefined)
    filtered = filtered.where('project.markedForDeletionOn', '=', filters.markedForDeletionOn)
  if (visibility !== undefined) filtered = filtered.where('project.visibility', '=', visibility)
  if (starred) filtered = filtered.where(isStarredBy(ctx, getUserId(ctx.actor)))
  if (minAccessLevel !== undefined) filtered = filtered.where(hasProjectAccess(ctx, minAccessLevel))
  if (filters.withIssuesEnabled)
    filtered = filtered.where((eb) => isFeatureReadable(ctx, eb, 'project.issuesAccessLevel'))
  // As in the original service, guests count a feature that is open to everybody, even where they cannot read its content.
  if (filters.withMergeRequestsEnabled)
    filtered = filtered.where((eb) => isFeatureReadable(ctx, eb, 'project.mergeRequestsAccessLevel', Access.reporter))
  if (filters.owned || filters.membership)
    filtered = filtered.where(hasProjectAccess(ctx, filters.owned ? Access.owner : Access.guest))
  if (filters.imported)
    filtered = filtered
      .where('project.creatorId', '=', getUserId(ctx.actor))
      .where(jsonText('project.settings', 'importType'), 'is not', null)
  if (filters.repositoryChecksumFailed || filters.wikiChecksumFailed) filtered = filtered.where('project.id', '=', 0)
  const { customAttributes, repositoryStorage, withProgrammingLanguage: language } = filters
  if (repositoryStorage !== undefined && isAdministrator(ctx.actor))
    filtered = filtered.where((eb) =>
      eb(eb.fn.coalesce(jsonText('project.settings', 'repositoryStorage'), eb.val('default')), '=', repositoryStorage),
    )
  if (language !== undefined) {
    const withLanguage = ctx.db.selectFrom('projectLanguage').where('nameKey', '=', language.toLowerCase())
    filtered = filtered.where('project.id', 'in', withLanguage.select('projectLanguage.projectId'))
  }
  filtered = filtered.where((eb) =>
    eb.and(matchCustomAttributes(ctx, 'projectId', eb.ref('project.id'), customAttributes)),
  )
  const columns = filters.searchNamespaces ? [...searchedColumns, 'project.fullPath'] : searchedColumns
  const matches = matchesSearch(ctx.dialect, columns, parseSearchText(search))
  return matches ? filtered.where(matches) : filtered
}

const pageOf = (ctx: Context, rows: ProjectRows, filters: ProjectListOptions): Promise<Page<Project>> => {
  const keys = projectSortKeys(ctx, filters)
  const [{ value }] = keys
  return paginateByKeys(
    applyFilters(ctx, rows, filters)
      .select(projectColumns)
      .select(value ? [value.as('sortValue')] : []),
    keys,
    filters,
    ({ sortValue: _, ...row }) => row,
  )
}

const readItems = (ctx: Context, projects: readonly Project[], options: ProjectListOptions) => {
  const recordCtx: Context & AccessOptions = { ...ctx, isMemberOfFew: false }
  return readProjectRecords(recordCtx, projects, options)
}

/** A page of the records in `rows` that match the filters. */
export async function projectPage(
  ctx: Context & AccessOptions,
  rows: ProjectRows,
  filters: ProjectListOptions,
): Promise<ProjectPage> {
  const page = await pageOf(ctx, rows, filters)
  return { ...page, simple: filters.simple, items: await readItems(ctx, page.items, filters) }
}

/** The same, with the access levels of a signed-in user unless only the identifying fields are requested. */
export async function projectPageWithAccess(
  ctx: Context & AccessOptions,
  rows: ProjectRows,
  filters: ProjectListOptions,
): Promise<ProjectPage<ProjectWithAccess>> {
  if (filters.simple || ctx.actor.kind !== 'user') return projectPage(ctx, rows, filters)
  const page = await pageOf(ctx, rows, filters)
  const [records, permissionsOf] = await awaitAll([
    readItems(ctx, page.items, filters),
    readPermissions(ctx, page.items),
  ])
  return { ...page, simple: false, items: records.map((record) => ({ ...record, permissions: permissionsOf(record) })) }
}
