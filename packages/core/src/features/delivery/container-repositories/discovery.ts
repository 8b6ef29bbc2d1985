import type { CompleteRow } from '../../../db/complete-row.ts'
import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { repositoryPath } from './container-repository.ts'
import { selectRepositories } from './queries.ts'

/** A project that owns a path in the registry. */
export interface PathOwner {
  readonly projectId: number
  /** Name of the repository below the project's path; empty for the project's own. */
  readonly name: string
}

/** A repository that exists in the external registry but not in the database. */
interface UndiscoveredRepository extends PathOwner {
  readonly path: string
}

/** `a/b/c` → `a/b/c`, `a/b`, `a`. The longest prefix that is a project owns the repository. */
const pathPrefixes = (path: string): string[] => {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'))
}

/** The owners of paths in the registry, by path; paths without a project are missing. */
export async function findPathOwners(
  ctx: Pick<Context, 'db'>,
  paths: readonly string[],
): Promise<ReadonlyMap<string, PathOwner>> {
  const candidates = [...new Set(paths.flatMap(pathPrefixes))]
  if (!candidates.length) return new Map()
  const projects = await ctx.db
    .selectFrom('project')
    .where(lower('fullPath'), 'in', candidates)
    .select(['id', 'fullPath'])
    .execute()
  const projectIds = new Map(projects.map(({ id, fullPath }) => [fullPath.toLowerCase(), id]))
  const owners = new Map<string, PathOwner>()
  for (const path of paths) {
    const project = pathPrefixes(path).find((prefix) => projectIds.has(prefix))
    if (project === undefined) continue
    owners.set(path, { projectId: defined(projectIds.get(project)), name: path.slice(project.length + 1) })
  }
  return owners
}

/** The paths that belong to a project which does not have the repository yet. */
export async function findUndiscoveredRepositories(
  ctx: Pick<Context, 'db'>,
  paths: readonly string[],
): Promise<UndiscoveredRepository[]> {
  const owners = await findPathOwners(ctx, paths)
  if (!owners.size) return []
  const ids = [...new Set([...owners.values()].map(({ projectId }) => projectId))]
  const repositories = await selectRepositories(ctx).where('containerRepository.projectId', 'in', ids).execute()
  const existingPaths = new Set(repositories.map(repositoryPath))
  return [...owners].flatMap(([path, owner]) => (existingPaths.has(path) ? [] : [{ path, ...owner }]))
}

/** Inserts repositories; those created concurrently are left unchanged. */
export async function insertRepositories(
  { db, now }: Pick<Context, 'db' | 'now'>,
  repositories: readonly { readonly projectId: number; readonly name: string }[],
): Promise<void> {
  await db
    .insertInto('containerRepository')
    .values(
      repositories.map(
        ({ projectId, name }) =>
          ({
            projectId,
            name,
            status: null,
            cleanupAskedAt: null,
            cleanupPolicyStartedAt: null,
            createdAt: now,
          }) satisfies CompleteRow<'containerRepository'>,
      ),
    )
    .onConflict((oc) => oc.doNothing())
    .execute()
}
