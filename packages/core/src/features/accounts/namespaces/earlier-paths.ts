import { findNamespace } from '../../../access/namespaces.ts'
import { findProject } from '../../../access/projects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'

/** The present place of a project or a group. */
export interface Place {
  /** Whether it is a project or a group. */
  readonly kind: 'project' | 'group'
  /** Id of the project or the group. */
  readonly id: number
  /** Paths of the groups above and its own, joined with `/`. */
  readonly fullPath: string
}

/** The owner of a path. */
type Owner = { readonly namespaceId: number } | { readonly projectId: number }

/** A new project, group or user has the path: requests for it are not redirected any more. */
export const forgetPath = async ({ db }: Context, fullPath: string): Promise<void> => {
  await db.deleteFrom('earlierPath').where('path', '=', fullPath.toLowerCase()).execute()
}

/** Requests for the earlier path of a group, a user or a project are redirected to the new one. */
export async function recordMove(ctx: Context, before: string, after: string, owner: Owner): Promise<void> {
  const path = before.toLowerCase()
  if (path === after.toLowerCase()) return
  await forgetPath(ctx, after)
  const columns = { namespaceId: null, projectId: null, ...owner }
  await ctx.db
    .insertInto('earlierPath')
    .values({ path, ...columns } satisfies CompleteRow<'earlierPath'>)
    .onConflict((oc) => oc.column('path').doUpdateSet(columns))
    .execute()
}

/** A path and those of the groups above it: `a/b/c`, `a/b`, `a`. */
const withParents = (path: string): string[] => {
  const segments = path.split('/')
  return segments.map((_, index) => segments.slice(0, segments.length - index).join('/'))
}

const maxSegments = 30

/** The full path that replaces an earlier one, which can be an earlier one itself. */
const findReplacement = async (ctx: Context, path: string): Promise<string | undefined> => {
  const candidates = withParents(path)
  if (candidates.length > maxSegments) return undefined
  const rows = await ctx.db.selectFrom('earlierPath').where('path', 'in', candidates).selectAll().execute()
  const [nearest] = rows
    .filter(({ projectId, path: earlier }) => projectId === null || earlier === path)
    .sort((one, other) => other.path.length - one.path.length)
  if (nearest === undefined) return undefined
  const { projectId, namespaceId } = nearest
  if (projectId !== null) return (await findProject(ctx, projectId))?.fullPath
  const namespace = namespaceId === null ? undefined : await findNamespace(ctx, namespaceId)
  return namespace && namespace.fullPath + path.slice(nearest.path.length)
}

/** Moves of one project that are followed one after another. */
const maxMoves = 5

/** The project or group that had a full path, without a permission check; undefined for a path that it still has. */
export async function findMoved(ctx: Context, fullPath: string): Promise<Place | undefined> {
  let path: string | undefined = fullPath.toLowerCase()
  for (let moves = 0; moves < maxMoves; moves++) {
    path = await findReplacement(ctx, path)
    if (path === undefined) return undefined
    const project = await findProject(ctx, path)
    if (project) return { kind: 'project', id: project.id, fullPath: project.fullPath }
    const namespace = await findNamespace(ctx, path)
    if (namespace?.kind === 'group') return { kind: 'group', id: namespace.id, fullPath: namespace.fullPath }
    path = path.toLowerCase()
  }
  return undefined
}
