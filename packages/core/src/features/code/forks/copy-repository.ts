import type { Context } from '../../../kernel/context.ts'
import type { TransactionRunner } from '../../../kernel/deferred.ts'
import type { PartialProjectSettings } from '../../spaces/projects/settings.ts'
import { updateProjectSettings } from '../../spaces/projects/stored-settings.ts'
import { findGitRepository } from '../repository/queries.ts'
import { refreshSummary } from '../repository/repository-summary.ts'
import { changeRepository, createRepositoryCopy } from '../repository/writable-repository.ts'

const setImportStatus = (
  ctx: Context,
  projectId: number,
  importStatus: NonNullable<PartialProjectSettings['importStatus']>,
) => updateProjectSettings(ctx, projectId, { importStatus })

/**
 * Copies the branches and tags of a project to a new project without a repository. The import status of the new project becomes
 * `finished`, or `failed` if the repository cannot be copied.
 */
export async function copyRepository(
  { ports }: Pick<Context, 'ports'>,
  { write }: TransactionRunner,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const writer = { ports, write }
  try {
    const source = await write((ctx) => findGitRepository(ctx, from))
    if (source !== undefined) {
      const copy = await createRepositoryCopy(writer, to, (directory) => ports.git.clone(source.directory, directory))
      await changeRepository(writer, to, ({ write }) => refreshSummary(write, copy, to))
    }
    await write((ctx) => setImportStatus(ctx, to, 'finished'))
  } catch (error) {
    await write((ctx) => setImportStatus(ctx, to, 'failed'))
    throw error
  }
}
