import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { isPlatformError } from '../../../kernel/errors.ts'
import { defineJob, type JobContext } from '../../../kernel/jobs/job.ts'
import { cancelFile, recordFile, reserveFile } from '../../collaboration/uploads/upload-file.ts'
import { readProjectSettings } from '../../spaces/projects/stored-settings.ts'
import { selectArtifacts } from '../pipeline-jobs/artifacts.ts'
import { readZipEntries } from '../pipeline-jobs/zip-archive.ts'
import { findRoot } from './find-root.ts'
import { maxSiteSize, type PackedFile, packSite } from './pack-site.ts'
import { pagesPrefix, removeDeployment } from './queries.ts'

/** What a job has built. */
interface BuiltSite {
  readonly projectId: number
  readonly jobId: number
  readonly rootDirectory: string
  /** The archive. */
  readonly storageKey: string
  readonly size: number
  /** The file of the new deployment. */
  readonly newKey: string
}

const isNewest = async ({ db }: Context, projectId: number, jobId: number): Promise<boolean> => {
  const current = await db
    .selectFrom('pagesDeployment')
    .where('projectId', '=', projectId)
    .select('jobId')
    .executeTakeFirst()
  return (current?.jobId ?? 0) < jobId
}

/** Reserves the file of a site; undefined if the job has built none, or a newer one is published. */
const prepareSite = async (ctx: Context, projectId: number, jobId: number): Promise<BuiltSite | undefined> => {
  const job = await ctx.db
    .selectFrom('pipelineJob')
    .where('projectId', '=', projectId)
    .where('id', '=', jobId)
    .select(['name', 'definition'])
    .executeTakeFirst()
  const rootDirectory = job && findRoot(job)
  const artifact = await selectArtifacts(ctx)
    .where('jobId', '=', jobId)
    .select(['storageKey', 'size'])
    .executeTakeFirst()
  if (rootDirectory === undefined || artifact === undefined || !(await isNewest(ctx, projectId, jobId)))
    return undefined
  const isDisabled =
    !ctx.ports.pages.enabled || (await readProjectSettings(ctx, projectId)).pagesAccessLevel === 'disabled'
  if (isDisabled) return undefined
  return { projectId, jobId, rootDirectory, ...artifact, newKey: await reserveFile(ctx, pagesPrefix(projectId)) }
}

const rowsPerInsert = 200

const insertFiles = async ({ db }: Context, deploymentId: number, files: readonly PackedFile[]) => {
  for (let at = 0; at < files.length; at += rowsPerInsert)
    await db
      .insertInto('pagesFile')
      .values(
        files
          .slice(at, at + rowsPerInsert)
          .map((file) => ({ deploymentId, ...file }) satisfies CompleteRow<'pagesFile'>),
      )
      .execute()
}

/** Replaces the site of a project, unless a newer job has published one meanwhile. */
const publish = async (ctx: Context, site: BuiltSite, files: readonly PackedFile[], redirects: string | null) => {
  const { projectId, jobId, rootDirectory, newKey: storageKey } = site
  const job = await ctx.db.selectFrom('pipelineJob').where('id', '=', jobId).select('id').executeTakeFirst()
  if (!job || !files.length || !(await isNewest(ctx, projectId, jobId))) {
    await cancelFile(ctx, storageKey)
    await ctx.enqueue('uploads.removeFile', { storageKey })
    return
  }
  await recordFile(ctx, storageKey)
  await removeDeployment(ctx, projectId)
  const size = files.reduce((sum, file) => sum + file.size, 0)
  const { id } = await ctx.db
    .insertInto('pagesDeployment')
    .values({
      projectId,
      jobId,
      rootDirectory,
      storageKey,
      size,
      redirects,
      createdAt: ctx.now,
    } satisfies CompleteRow<'pagesDeployment'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertFiles(ctx, id, files)
}

const openArchive = ({ ports, signal }: JobContext, { storageKey, size }: BuiltSite) =>
  readZipEntries({
    size,
    async read(range) {
      const content = await ports.files.read(storageKey, { ...range, signal })
      if (content) return content
      throw new Error(`The file ${storageKey} is missing in the file storage. Restore it from a backup`)
    },
  })

/** Publishes the site that a job has built: its files are unpacked once. An archive that is damaged or too large is not published. */
export const publishSite = defineJob('pagesSites.publish', {
  concurrency: 2,
  async run(tools, { projectId, job }) {
    const { ports, write, signal } = tools
    const site = await write((ctx) => prepareSite(ctx, projectId, job))
    if (site === undefined) return
    const packed = packSite(openArchive(tools, site), site.rootDirectory)
    try {
      await ports.files.write(site.newKey, packed.content, { maximumBytes: maxSiteSize, signal })
    } catch (error) {
      // The reservation removes what was written.
      if (isPlatformError(error) && error.code === 'unprocessable') return
      throw error
    }
    await write((ctx) => publish(ctx, site, [...packed.files.values()], packed.readRedirects()))
  },
})
