import type { Context } from '../../../kernel/context.ts'
import { isPlatformError, PlatformError } from '../../../kernel/errors.ts'
import { defineJob, type JobContext } from '../../../kernel/jobs/job.ts'
import { maskCredentials } from '../../../shared/mask-credentials.ts'
import { resolveDestination } from '../../administration/settings/outbound-destination.ts'
import { getOutboundRules, type OutboundRules } from '../../administration/settings/outbound-rules.ts'
import { type ImportSource, openImportSource } from '../../spaces/projects/import-source.ts'
import { withDefaultSettings } from '../../spaces/projects/settings.ts'
import { updateProjectSettings } from '../../spaces/projects/stored-settings.ts'
import { assertImportableNames, limitSize } from './import-source.ts'
import { findGitRepository } from './queries.ts'
import { refreshSummary } from './repository-summary.ts'
import { changeRepository, createRepositoryCopy } from './writable-repository.ts'

const maxErrorLength = 1_000

/** Begins an attempt; undefined for an import that has ended, and for a removed project. */
const startImport = async (ctx: Context, projectId: number) => {
  const row = await ctx.db
    .selectFrom('project')
    .where('id', '=', projectId)
    .select(['defaultBranch', 'settings'])
    .executeTakeFirst()
  const { importStatus } = withDefaultSettings(row?.settings ?? null)
  if (!row || (importStatus !== 'scheduled' && importStatus !== 'started')) return undefined
  await updateProjectSettings(ctx, projectId, { importStatus: 'started' })
  const existing = await findGitRepository(ctx, projectId)
  return { defaultBranch: row.defaultBranch, rules: await getOutboundRules(ctx), existing }
}

/** The verified address of the host of a URL; undefined for any. */
const findAddress = async ({ ports, signal }: JobContext, rules: OutboundRules, url: string) => {
  const destination = await resolveDestination(ports, rules, url, signal)
  if (destination.status === 'refused')
    throw new PlatformError('unprocessable', `The URL is blocked: ${destination.reason}`)
  if (destination.status === 'unresolved') throw new PlatformError('unavailable', 'The host name cannot be resolved')
  return destination.ipAddress
}

interface FetchPlan {
  readonly projectId: number
  readonly source: ImportSource
  readonly defaultBranch: string
  readonly ipAddress: string | undefined
}

/** Fetches all branches and tags into a new repository of the project. Returns it with the name of its default branch. */
const fetchRepository = async (tools: JobContext, { projectId, source, defaultBranch, ipAddress }: FetchPlan) => {
  const { ports, write } = tools
  let head = defaultBranch
  const repository = await createRepositoryCopy({ ports, write }, projectId, async (directory) => {
    const created = await ports.git.create(directory, { defaultBranch })
    try {
      const report = await limitSize(directory, tools.signal, (signal) =>
        created.fetchRemote({ ...source, signal, ...(ipAddress !== undefined && { ipAddress }) }),
      )
      await assertImportableNames(created)
      head = report.head ?? defaultBranch
      return created
    } catch (error) {
      await ports.git.remove(directory).catch(() => undefined)
      throw error
    }
  })
  return { repository, head }
}

/** Messages of platform errors are meant for users; those of unexpected errors may contain internal data. */
const describe = (error: unknown, { credentials }: ImportSource): string => {
  if (!isPlatformError(error)) return 'An unexpected error occurred'
  if (error.reason === 'credentials')
    return credentials ? error.message : 'The remote repository does not exist or requires credentials'
  const known = { user: credentials?.username, secrets: [credentials?.password ?? null] }
  return maskCredentials(error.message, known).slice(0, maxErrorLength)
}

const isTemporary = (error: unknown) =>
  !isPlatformError(error) || error.code === 'unavailable' || error.code === 'limited'

/** Copies a remote repository to a new project. An attempt that did not end, because its process did, is repeated. */
export const importRepository = defineJob('projects.importRepository', {
  concurrency: 4,
  async run(tools, { projectId, url, sealedCredentials }) {
    const { ports, write, signal, isLastAttempt } = tools
    const plan = await write((ctx) => startImport(ctx, projectId))
    if (plan === undefined) return
    const source = openImportSource(ports, { projectId, url, sealedCredentials })
    try {
      const ipAddress = await findAddress(tools, plan.rules, url)
      const { repository, head } = plan.existing
        ? { repository: plan.existing, head: undefined }
        : await fetchRepository(tools, { ...plan, projectId, source, ipAddress })
      await changeRepository({ ports, write }, projectId, (writer) =>
        refreshSummary(writer.write, repository, projectId, {
          defaultBranch: head,
          beforeCommit: (ctx) => updateProjectSettings(ctx, projectId, { importStatus: 'finished', importError: null }),
        }),
      )
    } catch (error) {
      signal.throwIfAborted()
      if (isTemporary(error) && !isLastAttempt) throw error
      const importError = describe(error, source)
      await write((ctx) => updateProjectSettings(ctx, projectId, { importStatus: 'failed', importError }))
    }
  },
})
