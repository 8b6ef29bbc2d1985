import type { CompleteRow } from '../../../db/complete-row.ts'
import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { repositoryPath } from './container-repository.ts'
import { selectRepositories } from './queries.ts'

/** A repository that exists in the external registry but not in the database. */
interface UndiscoveredRepository {
  readonly path: string
  readonly projectId: number
  readonly name: string
}

/** `a/b/c` → `a/b/c`, `a/b`, `a`. The longest prefix that is a project owns the repository. */
const pathPrefixes = (path: string): string[] => {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'))
}

/** The paths that belong to a project which does not have the repository yet. */
export async function findUndiscoveredRepositories(
  ctx: Pick<Context, 'db'>,
  paths: readonly string[],
): Promise<UndiscoveredRepository[]> {
  const candidates = [...new Set(paths.flatMap(pathPrefixes))]
  if (!candidates.length) return []
  const projects = await ctx.db
    .selectFrom('project')
    .where(lower('fullPath'), 'in', candidates)
    .select(['id', 'fullPath'])
    .execute()
  if (!projects.length) return []
  const projectIds = new Map(projects.map(({ id, fullPath }) => [fullPath.toLowerCase(), id]))
  const repositories = await selectRepositories(ctx)
    .where(
      'containerRepository.projectId',
      'in',
      projects.map(({ id }) => id),
    )
    .execute()
  const existingPaths = new Set(repositories.map(repositoryPath))
  return paths.flatMap((path) => {
    const project = pathPrefixes(path).find((prefix) => projectIds.has(prefix))
    if (project === undefined || existingPaths.has(path)) return []
    return [{ path, projectId: defined(projectIds.get(project)), name: path.slice(project.length + 1) }]
  })
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
            leaving: false,
            cleanupAskedAt: null,
            createdAt: now,
          }) satisfies CompleteRow<'containerRepository'>,
      ),
    )
    .onConflict((oc) => oc.doNothing())
    .execute()
}
