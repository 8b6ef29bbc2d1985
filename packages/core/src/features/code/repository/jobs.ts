import { findProject } from '../../../access/projects.ts'
import { isPlatformError } from '../../../kernel/errors.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import { isManagedStorageKey } from '../../../ports/repository-storage.ts'
import { findDefaultBranchTip } from './default-branch-tip.ts'
import { countLanguages, readCountedLanguages, storeLanguages } from './languages/counts.ts'
import { findStorageKey, isStorageKeyInUse } from './queries.ts'
import { syncHead } from './sync-head.ts'
import { changeRepository } from './writable-repository.ts'

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
  run: ({ ports, write }, { projectId }) => syncHead({ ports, write }, projectId),
})

/** Repairs a repository after the process that changed it has ended. No call has repaired it before. */
export const recoverRepository = defineJob('repository.recover', {
  async run({ ports, write }, { projectId }) {
    if ((await write(async (ctx) => findProject(ctx, projectId))) === undefined) return
    // Taking the lock of a process that has ended repairs the repository.
    await changeRepository({ ports, write }, projectId, async () => undefined)
  },
})

/** Counts the languages of the default branch, unless they were counted for its newest commit. */
export const countProjectLanguages = defineJob('repository.countLanguages', {
  async run({ ports, read, write, signal }, { projectId }) {
    const tip = await findDefaultBranchTip({ ports, read }, projectId)
    if (tip === undefined) return
    const { repository, commit } = tip
    if ((await read((handle) => readCountedLanguages(handle, projectId, commit))) !== undefined) return
    const languages = await countLanguages(repository, commit, { signal })
    await write(async (ctx) => {
      if (await findProject(ctx, projectId)) await storeLanguages(ctx, projectId, commit, languages)
    })
  },
})

/** Packs the objects and references of a repository, unless the host owns it. */
export const maintainRepository = defineJob('repository.maintain', {
  async run({ ports, read, write }, { projectId, prune }) {
    const storageKey = await read((handle) => findStorageKey(handle, projectId))
    if (storageKey === undefined || !ports.repositories.canModifyInPlace(storageKey)) return
    await changeRepository({ ports, write }, projectId, async () => {
      await ports.git.open(ports.repositories.directoryOf(storageKey)).maintain({ prune })
    })
  },
})
