import type { Context } from '../../../kernel/context.ts'
import { complete, type TransactionRunner } from '../../../kernel/deferred.ts'
import { isPlatformError } from '../../../kernel/errors.ts'
import { withArtifactEntries } from '../pipeline-jobs/artifacts.ts'
import type { ZipEntry } from '../pipeline-jobs/zip-archive.ts'
import { maxFileBytes } from './yaml.ts'

/** The text of an entry of an archive; undefined if there is none, or it is too big. */
const readEntry = async (entries: AsyncIterable<ZipEntry>, path: string): Promise<string | undefined> => {
  for await (const entry of entries) {
    if (entry.path !== path) continue
    if (entry.size > maxFileBytes) return undefined
    return Buffer.concat(await (await entry.open()).toArray()).toString()
  }
  return undefined
}

const findJobId = async ({ db }: Context, pipelineId: number, name: string) => {
  const jobs = db.selectFrom('pipelineJob').where('pipelineId', '=', pipelineId).where('retried', '=', false)
  return (await jobs.where('name', '=', name).select('id').executeTakeFirst())?.id
}

/** A file in the artifacts of a job of a pipeline; undefined if the job, its artifacts or the file do not exist. */
export const readParentArtifact = async (
  runner: TransactionRunner,
  pipelineId: number,
  { job, path }: { readonly job: string; readonly path: string },
): Promise<string | undefined> => {
  try {
    const content = await runner.read(async (ctx) => {
      const id = await findJobId(ctx, pipelineId, job)
      return id === undefined ? undefined : withArtifactEntries(ctx, id, (entries) => readEntry(entries, path))
    })
    return await complete<string | undefined>(content, () => runner)
  } catch (error) {
    if (isPlatformError(error) && ['not_found', 'unprocessable'].includes(error.code)) return undefined
    throw error
  }
}
