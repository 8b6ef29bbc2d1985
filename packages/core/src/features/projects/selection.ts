import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely'
import * as v from 'valibot'
import { groupLevels, visibilities } from '../../access/levels.ts'
import { openFeature, projectsAt, readableProjects } from '../../access/predicates.ts'
import type { Database } from '../../database.ts'
import { matches } from '../../db/functions.ts'
import { personId } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { Sort } from '../../kernel/inputs.ts'
import { type Page, paginate, paging } from '../../kernel/paging.ts'
import { searchPatterns } from '../../kernel/search-text.ts'
import type { Project } from './project.ts'
import { projectColumns } from './queries.ts'
import type { ProjectRecord } from './record.ts'
import { projectRecords } from './records.ts'

const columnOf = {
  id: 'project.id',
  name: 'project.name',
  path: 'project.path',
  created_at: 'project.createdAt',
  updated_at: 'project.updatedAt',
  last_activity_at: 'project.lastActivityAt',
} as const

const orders = Object.keys(columnOf) as readonly (keyof typeof columnOf)[]

/** What every list of projects can be narrowed and ordered by: specification 2, "Groups". */
export const projectFilters = {
  ...paging,
  archived: v.optional(v.boolean()),
  visibility: v.optional(v.picklist(visibilities)),
  orderBy: v.optional(v.picklist(orders), 'created_at'),
  sort: v.optional(Sort, 'desc'),
  /** In name, path and description. */
  search: v.optional(v.string()),
  /** Only what identifies each project. */
  simple: v.optional(v.boolean(), false),
  starred: v.optional(v.boolean(), false),
  withIssuesEnabled: v.optional(v.boolean(), false),
  withMergeRequestsEnabled: v.optional(v.boolean(), false),
  minAccessLevel: v.optional(v.picklist(groupLevels)),
  /** For administrators; others do not get them. */
  withCustomAttributes: v.optional(v.boolean(), false),
}

const Filters = v.object(projectFilters)
type Given = v.InferOutput<typeof Filters>

/** A page of projects. `simple`: the reader wants only what identifies them. */
export interface ProjectPage extends Page<ProjectRecord> {
  readonly simple: boolean
}

type InProjects = ExpressionBuilder<Database, 'project'>

const starredByReader = (ctx: Context) => (eb: InProjects) =>
  eb(
    'project.id',
    'in',
    ctx.db.selectFrom('projectStar').where('userId', '=', personId(ctx.actor)).select('projectStar.projectId'),
  )

const found = (pattern: string) => (eb: InProjects) =>
  eb.or([matches('project.name', pattern), matches('project.path', pattern), matches('project.description', pattern)])

/** Projects that the reader can see, of which a list then says which ones it is about. */
export const readableRows = (ctx: Context) => ctx.db.selectFrom('project').where(readableProjects(ctx))

type Rows = ReturnType<typeof readableRows>

const narrowed = (ctx: Context, rows: Rows, given: Given): Rows => {
  const { archived, visibility, search = '', starred, minAccessLevel } = given
  let left = rows
  if (archived !== undefined) left = left.where('project.archived', '=', archived)
  if (visibility !== undefined) left = left.where('project.visibility', '=', visibility)
  if (starred) left = left.where(starredByReader(ctx))
  if (minAccessLevel !== undefined) left = left.where('project.id', 'in', projectsAt(ctx, minAccessLevel))
  if (given.withIssuesEnabled) left = left.where((eb) => openFeature(ctx, eb, 'project.issuesAccessLevel'))
  if (given.withMergeRequestsEnabled) {
    left = left.where((eb) => openFeature(ctx, eb, 'project.mergeRequestsAccessLevel'))
  }
  for (const pattern of searchPatterns(search)) left = left.where(found(pattern))
  return left
}

/** A page of those of `rows` that the filters leave, as records. */
export async function projectPage(ctx: Context, rows: Rows, given: Given): Promise<ProjectPage> {
  const { orderBy, sort, simple, withCustomAttributes } = given
  const ordered = narrowed(ctx, rows, given)
    .select(projectColumns)
    .orderBy(columnOf[orderBy], sort)
    .orderBy('project.id', sort)
  const page = await paginate(ordered as SelectQueryBuilder<Database, 'project', Project>, given, (row) => row)
  return { ...page, simple, items: await projectRecords(ctx, page.items, { withCustomAttributes }) }
}
