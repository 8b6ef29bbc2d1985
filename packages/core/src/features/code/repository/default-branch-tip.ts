import type { JobContext } from '../../../kernel/jobs/job.ts'
import { findTip } from './opened-repository.ts'
import { findGitRepository } from './queries.ts'

/** The repository of a project and the head of its default branch, for a job; undefined without a project, a repository or a commit. */
export const findDefaultBranchTip = async ({ ports, read }: Pick<JobContext, 'ports' | 'read'>, projectId: number) => {
  const found = await read(async (handle) => {
    const row = handle.db.selectFrom('project').where('id', '=', projectId).select('defaultBranch')
    const project = await row.executeTakeFirst()
    const repository = await findGitRepository({ ...handle, ports }, projectId)
    return project && repository && { ...project, repository }
  })
  const commit = found && (await findTip(found))
  return found && commit !== undefined ? { repository: found.repository, commit } : undefined
}
