import { findProject } from '../../../access/projects.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import { findTip } from '../../code/repository/opened-repository.ts'
import { findGitRepository } from '../../code/repository/queries.ts'
import { scanLockFiles, storeScan } from './scan.ts'

/** Reads the lock files of the default branch. */
export const scanDependencies = defineJob('dependencies.scan', {
  async run({ ports, read, write, signal }, { projectId }) {
    const found = await read(async (handle) => {
      const row = handle.db.selectFrom('project').where('id', '=', projectId).select('defaultBranch')
      const project = await row.executeTakeFirst()
      const repository = await findGitRepository({ ...handle, ports }, projectId)
      return project && repository && { ...project, repository }
    })
    const commit = found && (await findTip(found))
    if (found === undefined || commit === undefined) return
    const files = await scanLockFiles(found.repository, commit, { signal })
    await write(async (ctx) => {
      if (await findProject(ctx, projectId)) await storeScan(ctx, projectId, files)
    })
  },
})
