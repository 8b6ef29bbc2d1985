import { getProjectAccessLevel } from '../../../access/actor-level.ts'
import { findActiveActor } from '../../../access/authenticate.ts'
import { findProject } from '../../../access/projects.ts'
import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { defineJob, type JobContext } from '../../../kernel/jobs/job.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import type { RemoteReference } from '../../../ports/git.ts'
import { getOutboundRules, type OutboundRules } from '../../administration/settings/outbound-rules.ts'
import { enqueuePull, pullMirrorContext } from '../../spaces/projects/pull-mirror.ts'
import { readProjectSettings } from '../../spaces/projects/stored-settings.ts'
import { readReferenceAccess } from '../protected-references/reference-access.ts'
import { connect, maxErrorLength } from '../remote-mirrors/connection.ts'
import { findNextAttempt, interval, maxFailures } from '../remote-mirrors/next-attempt.ts'
import { limitSize } from '../repository/import-source.ts'
import { changeReferences, updateAnnounced } from '../repository/reference-changes.ts'
import { changeRepository, openOrCreateForWriting } from '../repository/writable-repository.ts'
import { findChanged, type PullOptions, planUpdates } from './plan-updates.ts'

/** Everything that an update needs from the database. */
interface PullPlan extends PullOptions {
  readonly id: number
  readonly dueAt: string
  readonly url: string
  readonly sealedCredentials: string | null
  readonly project: Project
  readonly userId: number | null
  readonly triggerBuilds: boolean
  readonly failureCount: number
  readonly mayPush: boolean
  readonly rules: OutboundRules
}

const maySomeonePush = async (ctx: Context, project: Project, userId: number | null): Promise<boolean> => {
  if (userId === null) return true
  const actor = await findActiveActor(ctx, userId)
  if (actor === undefined) return false
  const access = await getProjectAccessLevel(ctx.actAs(actor), project)
  return hasAbility(actor, { kind: 'project', project, access }, 'code.push')
}

/** Marks an update as started and returns its plan; undefined if it is not due: the mirror was changed, the project archived, or its import has not ended. */
const startPull = async (ctx: Context, id: number, dueAt: string): Promise<PullPlan | undefined> => {
  const row = await ctx.db.selectFrom('pullMirror').where('id', '=', id).selectAll().executeTakeFirst()
  if (row === undefined || !row.enabled || row.url === null || row.nextUpdateAt !== dueAt) return undefined
  const project = await findProject(ctx, row.projectId)
  if (project === undefined || project.archived) return undefined
  const { importStatus } = await readProjectSettings(ctx, project.id)
  if (importStatus === 'scheduled' || importStatus === 'started') {
    const later = addSeconds(ctx.now, interval)
    await ctx.db.updateTable('pullMirror').set({ nextUpdateAt: later }).where('id', '=', id).execute()
    await enqueuePull(ctx, row, later)
    return undefined
  }
  const started = { updateStatus: 'started' as const, lastUpdateStartedAt: ctx.now }
  await ctx.db.updateTable('pullMirror').set(started).where('id', '=', id).execute()
  return {
    ...row,
    dueAt,
    url: row.url,
    project: { ...project },
    mayPush: await maySomeonePush(ctx, project, row.userId),
    access: await readReferenceAccess(ctx, project, null),
    rules: await getOutboundRules(ctx),
  }
}

/** Moves branches and tags to the fetched commits. Returns why the default branch was not updated. */
const updateReferences = async (
  { ports, write }: JobContext,
  plan: PullPlan,
  changed: readonly RemoteReference[],
): Promise<string | undefined> =>
  changeRepository({ ports, write }, plan.project.id, async (writer) => {
    const { project, userId, triggerBuilds: createsPipelines } = plan
    const repository = await openOrCreateForWriting(writer, project)
    const { updates, diverged } = await planUpdates(repository, changed, plan)
    if (updates.length > 0)
      await changeReferences(writer, repository, project.id, {
        userId,
        cause: { kind: 'mirror', createsPipelines },
        rules: {},
        apply: updateAnnounced(repository, updates),
      })
    return diverged.includes(`refs/heads/${project.defaultBranch}`)
      ? `The default branch (${project.defaultBranch}) has diverged from its upstream counterpart and could not be updated automatically.`
      : undefined
  })

/** Updates the repository, outside transactions. Never throws. Returns what went wrong, without secrets. */
const performPull = async (tools: JobContext, plan: PullPlan): Promise<string | undefined> => {
  const { ports, write } = tools
  if (!plan.mayPush) return 'The mirror user is not allowed to push code to this project.'
  const address = { ...plan, context: pullMirrorContext(plan.project.id) }
  const connected = await connect(ports, address, tools.signal, async (remote) => {
    const repository = await changeRepository({ ports, write }, plan.project.id, (writer) =>
      openOrCreateForWriting(writer, plan.project),
    )
    let changed: readonly RemoteReference[] = []
    // Objects are added without the lock of the repository: pushes do not wait for the other server.
    await limitSize(repository.directory, tools.signal, (signal) =>
      repository.fetchRemote({
        ...remote,
        signal,
        select: async (references) => {
          changed = await findChanged(repository, references, plan)
          return changed
        },
      }),
    )
    return updateReferences(tools, plan, changed)
  })
  return 'result' in connected ? connected.result : connected.problem
}

/** Stores the result of an update and when the next one starts, unless one was requested meanwhile. Reports a mirror that keeps failing. */
const recordOutcome = async (ctx: Context, plan: PullPlan, problem: string | undefined) => {
  const { id, url, dueAt, failureCount, project } = plan
  const failures = problem === undefined ? 0 : failureCount + 1
  const nextUpdateAt = findNextAttempt(ctx.now, failures)
  const ended = {
    lastUpdateAt: ctx.now,
    lastError: problem?.slice(0, maxErrorLength) ?? null,
    ...(problem === undefined && { lastSuccessfulUpdateAt: ctx.now }),
  }
  const updateStatus = problem === undefined ? ('finished' as const) : ('failed' as const)
  await ctx.db.updateTable('pullMirror').set(ended).where('id', '=', id).execute()
  const current = await ctx.db
    .updateTable('pullMirror')
    .set({ updateStatus, failureCount: failures, nextUpdateAt })
    .where('id', '=', id)
    .where('nextUpdateAt', '=', dueAt)
    .returning('id')
    .execute()
  if (current.length === 0) return
  await enqueuePull(ctx, { id, url }, nextUpdateAt)
  if (problem !== undefined && failures === maxFailures)
    await ctx.emit('pullMirror.failed', { projectId: project.id, url, message: problem })
}

/** Updates a project from the repository that it mirrors. An update that was interrupted by the end of its process starts again. */
export const pullFromMirror = defineJob('pullMirrors.pull', {
  concurrency: 4,
  concurrencyPerDestination: 2,
  async run(tools, { mirror, dueAt }) {
    const { write, signal } = tools
    const plan = await write((ctx) => startPull(ctx, mirror, dueAt))
    if (plan === undefined) return
    const problem = await performPull(tools, plan)
    // An update that a shutdown interrupted has not failed: the mirror stays started, and the job repeats.
    if (problem !== undefined) signal.throwIfAborted()
    await write((ctx) => recordOutcome(ctx, plan, problem))
  },
})
