import { findProject } from '../../../access/projects.ts'
import type { Context } from '../../../kernel/context.ts'
import { isPlatformError } from '../../../kernel/errors.ts'
import { defineJob, type JobContext } from '../../../kernel/jobs/job.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import type { Repository } from '../../../ports/git.ts'
import { defined } from '../../../shared/defined.ts'
import { findGitRepository } from '../../code/repository/queries.ts'
import { recordFile, reserveFile } from '../../collaboration/uploads/upload-file.ts'
import { assertAttemptsRemain, describeFailure, isTemporary } from '../archives/failure.ts'
import { packArchive } from '../archives/pack-archive.ts'
import { archivePrefix, type ContainerColumns, removeArchiveFile } from '../archives/storage.ts'
import { withTemporaryFolder } from '../archives/temporary-folder.ts'

/** Seconds that an archive is available. */
const retention = 86_400
/** Bytes of an archive. */
const maxArchiveBytes = 4 * 1024 ** 3

interface ExportPlan extends ContainerColumns {
  readonly id: number
  readonly description: string | null
  /** Where the archive is written. */
  readonly storageKey: string
  readonly repository: Repository | undefined
}

const startExport = async (ctx: Context, id: number): Promise<ExportPlan | undefined> => {
  const row = await ctx.db
    .updateTable('archiveExport')
    .set({ status: 'started' })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'started'])
    .returning(['projectId', 'groupId', 'description'])
    .execute()
  const [found] = row
  if (found === undefined) return undefined
  const project = found.projectId === null ? undefined : await findProject(ctx, found.projectId)
  return {
    ...found,
    id,
    storageKey: await reserveFile(ctx, archivePrefix(found)),
    repository: project && (await findGitRepository(ctx, project.id)),
  }
}

const hasReferences = async (repository: Repository) =>
  (await repository.branches()).length > 0 || (await repository.tags()).length > 0

const writeArchive = (tools: JobContext, plan: ExportPlan): Promise<number> =>
  withTemporaryFolder(async (folder) => {
    assertAttemptsRemain(tools)
    const { ports, signal, now } = tools
    const { projectId, groupId, description, repository, storageKey } = plan
    const seeds = await tools.openArchiveSeeds()
    const { content, omitted } = await seeds.read(
      projectId === null ? { group: defined(groupId) } : { project: projectId },
    )
    const archive = await packArchive(folder, {
      kind: projectId === null ? 'group' : 'project',
      content: description === null ? content : { ...(content as object), description },
      omitted,
      createdAt: now,
      bundle: repository && (await hasReferences(repository)) ? await repository.bundle({ signal }) : undefined,
    })
    return (await ports.files.write(storageKey, archive, { maximumBytes: maxArchiveBytes, signal })).size
  })

const finishExport = async (ctx: Context, { id, storageKey }: ExportPlan, size: number) => {
  await recordFile(ctx, storageKey)
  const previous = await ctx.db.selectFrom('archiveExport').where('id', '=', id).select('storageKey').executeTakeFirst()
  // The project or the group was removed in the meantime.
  if (previous === undefined) return removeArchiveFile(ctx, storageKey)
  await ctx.db
    .updateTable('archiveExport')
    .set({ status: 'finished', storageKey, size, finishedAt: ctx.now, expiresAt: addSeconds(ctx.now, retention) })
    .where('id', '=', id)
    .execute()
  await removeArchiveFile(ctx, previous.storageKey)
}

const failExport = (ctx: Context, id: number, error: unknown) =>
  ctx.db
    .updateTable('archiveExport')
    .set({ status: 'failed', error: describeFailure(error), finishedAt: ctx.now })
    .where('id', '=', id)
    .execute()

/** Creates the archive of a project or a group. */
export const exportArchive = defineJob('archives.export', {
  async run(tools, { export: id }) {
    const plan = await tools.write((ctx) => startExport(ctx, id))
    if (plan === undefined) return
    try {
      const size = await writeArchive(tools, plan)
      await tools.write((ctx) => finishExport(ctx, plan, size))
    } catch (error) {
      tools.signal.throwIfAborted()
      if (!tools.isLastAttempt && (isTemporary(error) || !isPlatformError(error))) throw error
      await tools.write((ctx) => failExport(ctx, id, error))
    }
  },
})
