import { findProject } from '../../../access/projects.ts'
import type { JobContext } from '../../../kernel/jobs/job.ts'
import { readSummary } from '../../code/repository/repository-summary.ts'
import type { ImportPlan } from '../imports/import-plan.ts'
import { receiveBundle } from './bundle.ts'
import type { ReadArchive } from './read-archive.ts'

/** Bytes of the objects of a repository. */
const maxPackBytes = 4 * 1024 ** 3

/**
 * Creates a repository with the branches and tags of the archive, which belongs to no project yet. Returns its summary; undefined for
 * an archive without a repository, and for a group.
 */
export async function prepareRepository(
  { ports, signal, write }: JobContext,
  { projectId, repositoryKey }: ImportPlan,
  { openBundle }: ReadArchive,
  preferredBranch: string | undefined,
) {
  if (projectId === null || !openBundle) return undefined
  const { git, repositories } = ports
  const project = await write(async (ctx) => findProject(ctx, projectId))
  const defaultBranch = preferredBranch ?? project?.defaultBranch ?? 'main'
  const repository = await git.create(repositories.directoryOf(repositoryKey), { defaultBranch })
  await receiveBundle(repository, openBundle(), { maximumBytes: maxPackBytes, signal })
  return readSummary(write, repository, projectId, defaultBranch)
}
