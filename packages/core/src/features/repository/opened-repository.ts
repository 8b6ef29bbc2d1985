import type { Context } from '../../kernel/context.ts'
import type { Subjects } from '../../policy.ts'
import type { Abortable, Repository } from '../../ports/git.ts'
import { repositoryOf } from './queries.ts'

/** A project's repository as one call works with it. */
export interface OpenedRepository {
  readonly repository: Repository
  readonly defaultBranch: string
  /** Ends the work when the caller has gone; to be spread into every request. */
  readonly abortable: Abortable
}

/** Undefined for a project to which nothing was ever pushed. */
export async function openRepository(
  ctx: Context,
  { project }: Subjects['project'],
): Promise<OpenedRepository | undefined> {
  const repository = await repositoryOf(ctx, project.id)
  const signal = ctx.call.gone?.()
  return repository && { repository, defaultBranch: project.defaultBranch, abortable: signal ? { signal } : {} }
}

/** The newest commit of the default branch; of the branch that HEAD names where there is no such branch. */
export const tipOf = async ({ repository, defaultBranch }: OpenedRepository): Promise<string | undefined> =>
  (await repository.branch(defaultBranch)) ?? (await repository.head()).commit

/**
 * The commit that a reader means by a branch, a tag, an id or the beginning of one; the default branch when nothing is said.
 * No revision expressions: text that is none of these is undefined and never reaches git.
 */
export const revision = async (
  opened: OpenedRepository | undefined,
  reference: string | undefined,
): Promise<string | undefined> => {
  if (opened === undefined) return undefined
  if (reference === undefined || reference === '' || reference === 'HEAD') return tipOf(opened)
  return opened.repository.resolve(reference)
}
