import type { Readable } from 'node:stream'
import { findProject } from '../../access/projects.ts'
import type { JobContext } from '../../kernel/job.ts'
import { readSummary } from '../repository/repository-summary.ts'
import { receiveBundle } from './bundle.ts'

/** Bytes of the objects of a repository. */
const maxPackBytes = 4 * 1024 ** 3

/** A repository with the branches and tags of the archive, which belongs to no project yet. */
export async function prepareRepository(
  { ports, signal, write }: JobContext,
  projectId: number,
  openBundle: (() => Readable) | undefined,
  preferredBranch: string | undefined,
) {
  if (!openBundle) return undefined
  const { git, repositories } = ports
  const storageKey = repositories.createStorageKey()
  const project = await write(async (ctx) => findProject(ctx, projectId))
  const defaultBranch = preferredBranch ?? project?.defaultBranch ?? 'main'
  const repository = await git.create(repositories.directoryOf(storageKey), { defaultBranch })
  const remove = () => git.remove(repository.directory).catch(() => undefined)
  try {
    await receiveBundle(repository, openBundle(), { maximumBytes: maxPackBytes, signal })
    return { storageKey, summary: await readSummary(write, repository, projectId, defaultBranch), remove }
  } catch (error) {
    await remove()
    throw error
  }
}
