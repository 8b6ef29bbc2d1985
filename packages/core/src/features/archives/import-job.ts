import type { ArchivedUser, ArchiveTarget, ParsedArchive } from '../../contract/archive-data.ts'
import { lower } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, isPlatformError } from '../../kernel/errors.ts'
import { defineJob, type JobContext } from '../../kernel/job.ts'
import { updateProjectSettings } from '../projects/stored-settings.ts'
import { storeSummary } from '../repository/repository-summary.ts'
import { attachRepository } from '../repository/writable-repository.ts'
import type { ArchiveKind, ImportStage } from './archive.ts'
import { withTemporaryFolder } from './archive-format.ts'
import { clearProject } from './clear-project.ts'
import { describeFailure, isTemporary } from './failure.ts'
import { prepareRepository } from './prepare-repository.ts'
import { type ReadArchive, readArchive } from './read-archive.ts'
import { type ContainerColumns, removeArchiveFile } from './storage.ts'

interface ImportPlan extends ContainerColumns {
  readonly id: number
  readonly kind: ArchiveKind
  readonly storageKey: string
  readonly target: Omit<ArchiveTarget, 'users' | 'addsMembers'>
  /** Whether an earlier attempt began: it can have added a part of the content. */
  readonly isRepeated: boolean
  /** Whether an administrator imports, who may name other users as authors and members. */
  readonly mapsUsers: boolean
}

const setStage = async (ctx: Context, { id, projectId }: Pick<ImportPlan, 'id' | 'projectId'>, stage: ImportStage) => {
  await ctx.db.updateTable('archiveImport').set({ status: stage }).where('id', '=', id).execute()
  if (projectId !== null) await updateProjectSettings(ctx, projectId, { importStatus: stage })
}

const startImport = async (ctx: Context, id: number): Promise<ImportPlan | undefined> => {
  const row = await ctx.db
    .selectFrom('archiveImport')
    .leftJoin('user', 'user.id', 'archiveImport.userId')
    .where('archiveImport.id', '=', id)
    .select(['projectId', 'groupId', 'archiveImport.status', 'storageKey', 'options', 'user.username', 'user.admin'])
    .executeTakeFirst()
  if (!row?.storageKey || row.status === 'finished' || row.status === 'failed') return undefined
  const { projectId, groupId, storageKey, username, admin, options } = row
  const { overrides = [], replaces } = options
  const plan: ImportPlan = {
    id,
    projectId,
    groupId,
    storageKey,
    kind: projectId === null ? 'group' : 'project',
    isRepeated: row.status === 'started',
    mapsUsers: admin ?? false,
    target: {
      id: (projectId ?? groupId) as number,
      importer: username ?? '',
      now: ctx.now,
      overrides,
      ...(replaces && { replaces }),
    },
  }
  await setStage(ctx, plan, 'started')
  return plan
}

/** Ends an import: its archive is not needed any more. */
const endImport = async (ctx: Context, plan: ImportPlan, stage: 'finished' | 'failed', error: string | null) => {
  await setStage(ctx, plan, stage)
  await ctx.db.updateTable('archiveImport').set({ error, storageKey: null }).where('id', '=', plan.id).execute()
  await removeArchiveFile(ctx, plan.storageKey)
}

/** The users of the archive by e-mail address or username. Without an administrator, only the importer. */
const recognizeUsers = async (
  { db }: Context,
  { mapsUsers, target: { importer } }: ImportPlan,
  archived: readonly ArchivedUser[],
): Promise<ReadonlyMap<string, string>> => {
  const recognized = new Map<string, string>()
  if (!mapsUsers) return recognized.set(importer, importer)
  const users = db.selectFrom('user').select('username').where('bot', '=', false)
  for (const { username, publicEmail } of archived) {
    const byEmail =
      publicEmail && (await users.where(lower('email'), '=', publicEmail.toLowerCase()).executeTakeFirst())
    const user = byEmail || (await users.where(lower('username'), '=', username.toLowerCase()).executeTakeFirst())
    if (user) recognized.set(username, user.username)
  }
  return recognized
}

/** Removes what an attempt added to a project. Groups get their content in one transaction. */
const clear = async (tools: JobContext, { projectId, target }: ImportPlan) => {
  if (projectId !== null) await clearProject(tools, projectId, target.importer)
}

const addContent = async (tools: JobContext, plan: ImportPlan, archive: ReadArchive, parsed: ParsedArchive) => {
  const { projectId } = plan
  const users = await tools.write((ctx) => recognizeUsers(ctx, plan, parsed.users))
  const target = { ...plan.target, users, addsMembers: plan.mapsUsers }
  const repository =
    projectId === null ? undefined : await prepareRepository(tools, projectId, archive.openBundle, parsed.defaultBranch)
  let isBegun = false
  try {
    await parsed.add(target, {
      signal: tools.signal,
      async before(ctx) {
        isBegun = true
        if (projectId === null || !repository) return
        await attachRepository(ctx, projectId, repository.storageKey)
        await storeSummary(ctx, projectId, repository.summary)
      },
      after: (ctx) => endImport(ctx, plan, 'finished', null),
    })
  } catch (error) {
    // The next attempt removes what this one added.
    if (isBegun) tools.signal.throwIfAborted()
    if (isBegun) await clear(tools, plan)
    await repository?.remove()
    throw error
  }
}

const importContent = async (tools: JobContext, plan: ImportPlan) => {
  if (!plan.target.importer) throw invalid('The user who imported the archive was removed')
  const file = await tools.ports.files.read(plan.storageKey, { signal: tools.signal })
  if (!file) throw invalid('The archive is missing in the file storage')
  const seeds = await tools.openArchiveSeeds()
  await withTemporaryFolder(async (folder) => {
    const archive = await readArchive(file, folder, plan.kind)
    await addContent(tools, plan, archive, seeds.parse(plan.kind, archive.content))
  })
}

/**
 * Adds the content of an archive to its new project or group. After a failure nothing of it remains. A project gets its content in
 * several transactions: an attempt that did not end, because its process did, is undone before the next one.
 */
export const importArchive = defineJob('archives.import', {
  async run(tools, { import: id }) {
    const plan = await tools.write((ctx) => startImport(ctx, id))
    if (plan === undefined) return
    if (plan.isRepeated) await clear(tools, plan)
    try {
      await importContent(tools, plan)
    } catch (error) {
      tools.signal.throwIfAborted()
      if (!tools.isLastAttempt && (isTemporary(error) || !isPlatformError(error))) throw error
      await tools.write((ctx) => endImport(ctx, plan, 'failed', describeFailure(error)))
    }
  },
})
