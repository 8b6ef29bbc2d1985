import { findProject } from '../../../access/projects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { invalid } from '../../../kernel/errors.ts'
import { openRepository } from './opened-repository.ts'
import type { RepositoryWriter } from './repository-lock.ts'
import { refreshSummary } from './repository-summary.ts'
import { changeRepository, openForWriting } from './writable-repository.ts'

/** Sets HEAD of the repository to the project's default branch and refreshes the summary. */
export async function syncHead(writer: RepositoryWriter, projectId: number): Promise<void> {
  const project = await writer.write(async (ctx) => findProject(ctx, projectId))
  if (project === undefined) return
  await changeRepository(writer, projectId, async (locked) => {
    const repository = await openForWriting(locked, projectId)
    if (repository === undefined || (await repository.branch(project.defaultBranch)) === undefined) return
    await repository.setHead(project.defaultBranch)
    await refreshSummary(locked.write, repository, projectId)
  })
}

/**
 * Changes the default branch of a project with `update`, after a check that the branch exists. HEAD of the repository refers to it when
 * the call returns.
 *
 * @throws PlatformError `invalid` for an unknown branch of a repository with others
 */
export async function changeDefaultBranch<T>(
  ctx: Context,
  subject: Pick<Subjects['project'], 'project'>,
  defaultBranch: string,
  update: (ctx: Context) => Promise<T>,
): Promise<T | Deferred<T>> {
  const opened = await openRepository(ctx, subject)
  if (opened === undefined) return update(ctx)
  const { ports } = ctx
  return afterTransaction(async ({ write }) => {
    const { repository } = opened
    if ((await repository.branch(defaultBranch)) === undefined && (await repository.branches()).length > 0)
      throw invalid({ base: [`Could not change HEAD: branch '${defaultBranch}' does not exist`] })
    const updated = await write(update)
    await syncHead({ ports, write }, subject.project.id)
    return updated
  })
}
