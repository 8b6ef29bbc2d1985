import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred, type TransactionRunner } from '../../../kernel/deferred.ts'
import { invalid, isPlatformError } from '../../../kernel/errors.ts'
import type { Repository } from '../../../ports/git.ts'
import type { ProjectDetails } from '../../spaces/projects/project-record.ts'
import { readProjectDetails, reloadProject } from '../../spaces/projects/read-details.ts'
import type { PartialProjectSettings } from '../../spaces/projects/settings.ts'
import { updateProjectSettings } from '../../spaces/projects/stored-settings.ts'
import { findGitRepository } from '../repository/queries.ts'
import { refreshSummary } from '../repository/repository-summary.ts'
import { changeRepository, createRepositoryCopy } from '../repository/writable-repository.ts'

const endCopy = (
  ctx: Context,
  projectId: number,
  result: Required<Pick<PartialProjectSettings, 'importStatus' | 'importError'>>,
) => updateProjectSettings(ctx, projectId, result)

/** Removes the other branches of a copy, and the tags of their commits. */
const keepBranch = async (copy: Repository, branch: string) => {
  const [tags, tip] = await Promise.all([copy.tags(), copy.branch(branch)])
  const commits = tags.map(({ commit }) => commit)
  const contained = new Set(tip === undefined ? [] : await copy.findReachable({ from: tip, commits }))
  const names = [
    ...(await copy.branches()).filter(({ name }) => name !== branch).map(({ name }) => `refs/heads/${name}`),
    ...tags.filter(({ commit }) => !contained.has(commit)).map(({ name }) => `refs/tags/${name}`),
  ]
  const changes = names.map(async (name) => ({ name, from: await copy.reference(name), to: undefined }))
  await copy.setHead(branch)
  await copy.updateReferences(await Promise.all(changes))
}

/** A repository to copy: all branches and tags, or those of one branch. */
interface CopyRequest {
  readonly from: number
  readonly to: number
  readonly branch?: string | undefined
}

/**
 * Copies the branches and tags of a project to a new project without a repository. The import status of the new project becomes
 * `finished`, or `failed` if the repository cannot be copied.
 */
async function copyRepository(
  { ports }: Pick<Context, 'ports'>,
  { write }: TransactionRunner,
  { from, to, branch }: CopyRequest,
): Promise<void> {
  const writer = { ports, write }
  try {
    const source = await write((ctx) => findGitRepository(ctx, from))
    if (branch !== undefined && (await source?.branch(branch)) === undefined)
      throw invalid(`The branch ${branch} does not exist`)
    if (source !== undefined) {
      const copy = await createRepositoryCopy(writer, to, async (directory) => {
        const clone = await ports.git.clone(source.directory, directory)
        if (branch !== undefined) await keepBranch(clone, branch)
        return clone
      })
      await changeRepository(writer, to, ({ write }) => refreshSummary(write, copy, to))
    }
    await write((ctx) => endCopy(ctx, to, { importStatus: 'finished', importError: null }))
  } catch (error) {
    const isExplained = isPlatformError(error) && error.code === 'invalid'
    const importError = isExplained ? error.message : 'The repository could not be copied'
    await write((ctx) => endCopy(ctx, to, { importStatus: 'failed', importError }))
    if (!isExplained) throw error
  }
}

/** Copies a repository after the transaction, and reads the new project. */
export const copyAfterTransaction = ({ ports }: Context, request: CopyRequest): Deferred<ProjectDetails> =>
  afterTransaction(async (runner) => {
    await copyRepository({ ports }, runner, request)
    return runner.read(async (ctx) => readProjectDetails(ctx, await reloadProject(ctx, request.to)))
  })
