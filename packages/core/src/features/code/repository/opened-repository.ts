import type { Subjects } from '../../../contract/subjects.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Abortable, Repository } from '../../../ports/git.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { findGitRepository } from './queries.ts'
import { type RepositoryCommit, toCommit } from './repository.ts'

/** A project's repository in the context of one call. */
export interface OpenedRepository {
  readonly repository: Repository
  readonly defaultBranch: string
  readonly projectPath: string
  /** A larger patch of a file is omitted from diffs. */
  readonly maximumPatchBytes: number
  /** Cancels git when the client disconnects. Spread it into the options of every git call. */
  readonly abortable: Abortable
}

/** Undefined for a project without a repository. */
export async function openRepository(
  ctx: Context,
  { project }: Pick<Subjects['project'], 'project'>,
): Promise<OpenedRepository | undefined> {
  const [repository, { diffMaxPatchBytes: maximumPatchBytes }] = await awaitAll([
    findGitRepository(ctx, project.id),
    getSettings(ctx),
  ])
  const signal = ctx.call.signal?.()
  const { defaultBranch, fullPath: projectPath } = project
  return (
    repository && { repository, defaultBranch, projectPath, maximumPatchBytes, abortable: signal ? { signal } : {} }
  )
}

/** The head of the default branch, or HEAD if that branch does not exist. */
export const findTip = async ({
  repository,
  defaultBranch,
}: Pick<OpenedRepository, 'repository' | 'defaultBranch'>): Promise<string | undefined> =>
  (await repository.branch(defaultBranch)) ?? (await repository.head()).commit

/**
 * Resolves a branch, tag, commit id or its prefix. The name of the default branch is that branch, also if a tag has the same
 * name: everyone who may push can create tags.
 */
export const resolveName = async (
  { repository, defaultBranch }: Pick<OpenedRepository, 'repository' | 'defaultBranch'>,
  name: string,
): Promise<string | undefined> =>
  (name === defaultBranch ? await repository.branch(name) : undefined) ?? repository.resolve(name)

/**
 * Resolves a branch, tag, commit id or its prefix; an omitted revision is the default branch. Revision expressions are
 * not supported: other text resolves to undefined and is not passed to git.
 */
export const resolveRevision = async (
  opened: OpenedRepository | undefined,
  revision: string | undefined,
): Promise<string | undefined> => {
  if (opened === undefined) return undefined
  if (revision === undefined || revision === '' || revision === 'HEAD') return findTip(opened)
  return resolveName(opened, revision)
}

/** @throws PlatformError `not_found` for a missing commit */
export const readCommit = async (
  { repository, projectPath }: Pick<OpenedRepository, 'repository' | 'projectPath'>,
  id: string,
): Promise<RepositoryCommit> => {
  const commit = await repository.commit(id)
  if (commit === undefined) throw notFound('Commit')
  return toCommit(commit, projectPath)
}

/**
 * When a commit was written, or its author changed it, if later: the time that GitLab takes as that of the last change of a branch or
 * tag. References have no time of their own.
 *
 * @throws PlatformError `not_found` for a missing commit
 */
export const readCommitTime = async (repository: Repository, id: string): Promise<string> => {
  const commit = await repository.commit(id)
  if (commit === undefined) throw notFound('Commit')
  const times = [commit.authoredAt, commit.committedAt].map((time) => Date.parse(time))
  return new Date(Math.max(...times)).toISOString()
}
