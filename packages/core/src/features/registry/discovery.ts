import { lower } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { pathOf } from './container-repository.ts'
import { repositoriesIn } from './queries.ts'

/** A repository that a registry knows and the platform does not. */
interface Unknown {
  readonly path: string
  readonly projectId: number
  readonly name: string
}

/** `a/b/c` → `a/b/c`, `a/b`, `a`: the longest one that is a project is the repository's. */
const beginnings = (path: string): string[] => {
  const parts = path.split('/')
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('/'))
}

/** Which of these paths belong to a project that has no such repository yet. */
export async function unknownRepositories(ctx: Pick<Context, 'db'>, paths: readonly string[]): Promise<Unknown[]> {
  const candidates = [...new Set(paths.flatMap(beginnings))]
  if (!candidates.length) return []
  const projects = await ctx.db
    .selectFrom('project')
    .where(lower('fullPath'), 'in', candidates)
    .select(['id', 'fullPath'])
    .execute()
  if (!projects.length) return []
  const byPath = new Map(projects.map(({ id, fullPath }) => [fullPath.toLowerCase(), id]))
  const known = await repositoriesIn(ctx)
    .where(
      'containerRepository.projectId',
      'in',
      projects.map(({ id }) => id),
    )
    .execute()
  const there = new Set(known.map(pathOf))
  return paths.flatMap((path) => {
    const project = beginnings(path).find((beginning) => byPath.has(beginning))
    if (project === undefined || there.has(path)) return []
    return [{ path, projectId: byPath.get(project) as number, name: path.slice(project.length + 1) }]
  })
}

/** Adds repositories, leaving alone those that came into being meanwhile. */
export async function addRepositories(
  { db, now }: Pick<Context, 'db' | 'now'>,
  found: readonly { readonly projectId: number; readonly name: string }[],
): Promise<void> {
  await db
    .insertInto('containerRepository')
    .values(found.map(({ projectId, name }) => ({ projectId, name, cleanupAskedAt: null, createdAt: now })))
    .onConflict((known) => known.doNothing())
    .execute()
}
