import { findProject } from '../../../access/projects.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import { findDefaultBranchTip } from '../../code/repository/default-branch-tip.ts'
import { scanLockFiles, storeScan } from './scan.ts'

/** Reads the lock files of the default branch. */
export const scanDependencies = defineJob('dependencies.scan', {
  async run({ ports, read, write, signal }, { projectId }) {
    const tip = await findDefaultBranchTip({ ports, read }, projectId)
    if (tip === undefined) return
    const { repository, commit } = tip
    const files = await scanLockFiles(repository, commit, { signal })
    await write(async (ctx) => {
      if (await findProject(ctx, projectId)) await storeScan(ctx, projectId, files)
    })
  },
})
