import type { ArchivedUser, ParsedArchive } from '../../../contract/archive-data.ts'
import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, isPlatformError } from '../../../kernel/errors.ts'
import { defineJob, type JobContext } from '../../../kernel/jobs/job.ts'
import { storeSummary } from '../../code/repository/repository-summary.ts'
import { attachRepository } from '../../code/repository/writable-repository.ts'
import { clearContent } from '../archives/clear-content.ts'
import { assertAttemptsRemain, describeFailure, isTemporary } from '../archives/failure.ts'
import { prepareRepository } from '../archives/prepare-repository.ts'
import { type ReadArchive, readArchive } from '../archives/read-archive.ts'
import { withTemporaryFolder } from '../archives/temporary-folder.ts'
import { endImport, type ImportPlan, isUnfinished, startImport } from './import-plan.ts'

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

const addContent = async (tools: JobContext, plan: ImportPlan, archive: ReadArchive, parsed: ParsedArchive) => {
  const { projectId, repositoryKey } = plan
  const users = await tools.write((ctx) => recognizeUsers(ctx, plan, parsed.users))
  const summary = await prepareRepository(tools, plan, archive, parsed.defaultBranch)
  await parsed.add(
    { ...plan.target, users, addsMembers: plan.mapsUsers },
    {
      signal: tools.signal,
      async before(ctx) {
        if (projectId === null || !summary) return
        await attachRepository(ctx, projectId, repositoryKey)
        await storeSummary(ctx, projectId, summary)
      },
      after: (ctx) => endImport(ctx, plan, 'finished'),
    },
  )
}

const importContent = async (tools: JobContext, plan: ImportPlan) => {
  if (!plan.target.importer) throw invalid('The user who imported the archive was removed')
  const file = await tools.ports.files.read(plan.storageKey, { signal: tools.signal })
  if (!file) throw invalid('The archive is missing in the file storage')
  const seeds = await tools.openArchiveSeeds()
  await withTemporaryFolder(async (folder) => {
    assertAttemptsRemain(tools)
    const archive = await readArchive(file, folder, plan.kind)
    await addContent(tools, plan, archive, seeds.parse(plan.kind, archive.content))
  })
}

/**
 * Adds the content of an archive to its new project or group, in several transactions. After a failure nothing of it remains. An
 * attempt that did not end, because its process did, is undone before the next one.
 */
export const importArchive = defineJob('archives.import', {
  async run(tools, { import: id }) {
    const plan = await tools.write((ctx) => startImport(ctx, id))
    if (plan === undefined) return
    if (plan.isRepeated) await clearContent(tools, plan)
    try {
      await importContent(tools, plan)
    } catch (error) {
      // The next attempt removes what this one added.
      tools.signal.throwIfAborted()
      if (!(await tools.write((ctx) => isUnfinished(ctx, plan)))) return
      await clearContent(tools, plan)
      if (!tools.isLastAttempt && (isTemporary(error) || !isPlatformError(error))) throw error
      await tools.write((ctx) => endImport(ctx, plan, { error: describeFailure(error) }))
    }
  },
})
