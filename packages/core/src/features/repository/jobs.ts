import { findProject } from '../../access/projects.ts'
import { isPlatformError } from '../../kernel/errors.ts'
import { defineJob } from '../../kernel/job.ts'
import { isManagedStorageKey } from '../../ports/repository-storage.ts'
import { isStorageKeyInUse } from './queries.ts'
import { refreshSummary } from './repository-summary.ts'
import { openForWriting } from './writable-repository.ts'

/** Deletes the repository files of a removed project, unless the host owns them or they are still in use. */
export const deleteRepositoryFiles = defineJob('repository.remove', {
  async run({ ports: { git, repositories }, read }, { storageKey }) {
    if (
      !isManagedStorageKey(storageKey) ||
      !repositories.canModifyInPlace(storageKey) ||
      (await read((handle) => isStorageKeyInUse(handle, storageKey)))
    )
      return
    try {
      await git.remove(repositories.directoryOf(storageKey))
    } catch (error) {
      // An earlier, interrupted run has deleted it.
      if (!isPlatformError(error) || error.code !== 'not_found') throw error
    }
  },
})

/** Sets HEAD of the repository to the project's default branch and refreshes the summary. */
export const syncDefaultBranch = defineJob('repository.syncDefaultBranch', {
  async run({ ports, write }, { projectId }) {
    const project = await write(async (ctx) => findProject(ctx, projectId))
    const repository = project && (await openForWriting({ ports, write }, projectId))
    if (project === undefined || repository === undefined) return
    if ((await repository.branch(project.defaultBranch)) === undefined) return
    await repository.setHead(project.defaultBranch)
    await refreshSummary(write, repository, project.id)
  },
})
