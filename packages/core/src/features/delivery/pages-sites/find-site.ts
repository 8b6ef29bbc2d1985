import { projectColumns } from '../../../access/projects.ts'
import type { Project } from '../../../contract/project.ts'
import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'

/** A site at an address. */
export interface FoundSite {
  readonly project: Project
  /** Path of the site at the address, such as `/acme/web`; empty for the root. */
  readonly base: string
  /** What follows the base: empty, or a path that begins with a slash. Percent-encoded as requested. */
  readonly path: string
  /** Host of the request; undefined for the address on the host of the platform. */
  readonly host: string | undefined
}

/** Deeper groups do not exist. */
const maxDepth = 22

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

/** The project with the longest path that the segments begin with and that has a site. */
const findLongest = async (
  { db }: Context,
  parents: readonly string[],
  segments: readonly string[],
  host: string | undefined,
): Promise<FoundSite | undefined> => {
  const depths = segments.slice(0, maxDepth).map((_, at) => at + 1)
  const paths = depths.map((depth) => [...parents, ...segments.slice(0, depth).map(decode)].join('/').toLowerCase())
  if (!paths.length) return undefined
  const projects = await db
    .selectFrom('project')
    .innerJoin('pagesDeployment', 'pagesDeployment.projectId', 'project.id')
    .where(lower('fullPath'), 'in', paths)
    .select(projectColumns)
    .execute()
  const project = projects.toSorted((a, b) => b.fullPath.length - a.fullPath.length)[0]
  if (project === undefined) return undefined
  const depth = project.fullPath.split('/').length - parents.length
  const [base, rest] = [segments.slice(0, depth), segments.slice(depth)].map((parts) =>
    parts.map((part) => `/${part}`).join(''),
  )
  return { project, base: base ?? '', path: rest ?? '', host }
}

const toSegments = (path: string): readonly string[] => path.replace(/^\/+/, '').split('/')

const findById = async (
  { db }: Context,
  id: number,
  site: Omit<FoundSite, 'project'>,
): Promise<FoundSite | undefined> => {
  const project = await db.selectFrom('project').where('id', '=', id).select(projectColumns).executeTakeFirst()
  return project && { project, ...site }
}

/** Sites below the host of all: `unique-label.<host>/…`, `<namespace>.<host>/<project>/…`, and a project with the name of the host. */
const findByLabel = async (ctx: Context, label: string, host: string, path: string) => {
  const unique = await ctx.db
    .selectFrom('pagesSite')
    .where('uniqueDomain', '=', label)
    .where('isUniqueDomainEnabled', '=', true)
    .select('projectId')
    .executeTakeFirst()
  if (unique) return findById(ctx, unique.projectId, { base: '', path, host })
  const found = await findLongest(ctx, [label], toSegments(path), host)
  if (found) return found
  const root = await findLongest(ctx, [label], [host], host)
  return root && { ...root, base: '', path }
}

/** A domain that a project has proven to control. */
const findByDomain = async (ctx: Context, host: string, path: string) => {
  const domain = await ctx.db
    .selectFrom('pagesDomain')
    .where(lower('name'), '=', host)
    .where('enabledUntil', '>', ctx.now)
    .select('projectId')
    .executeTakeFirst()
  return domain && findById(ctx, domain.projectId, { base: '', path, host })
}

/** The site at a host, or without one, at a path of the platform: the full path of the project, and the path of the file. */
export const findSite = async (
  ctx: Context,
  { host, path }: { readonly host: string | undefined; readonly path: string },
): Promise<FoundSite | undefined> => {
  if (host === undefined) return findLongest(ctx, [], toSegments(path), undefined)
  const all = ctx.ports.pages.host?.toLowerCase()
  const clean = `/${path.replace(/^\/+/, '')}`
  if (all === undefined || !host.endsWith(`.${all}`)) return findByDomain(ctx, host, clean)
  const label = host.slice(0, -all.length - 1)
  return label.includes('.') ? undefined : findByLabel(ctx, label, host, clean)
}
