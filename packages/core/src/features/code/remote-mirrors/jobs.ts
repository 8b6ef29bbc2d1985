import type { Context } from '../../../kernel/context.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import { compileNamePattern } from '../../../kernel/name-pattern.ts'
import type { PushReport, Repository } from '../../../ports/git.ts'
import type { Ports } from '../../../ports/ports.ts'
import { maskCredentials } from '../../../shared/mask-credentials.ts'
import { getOutboundRules, type OutboundRules } from '../../administration/settings/outbound-rules.ts'
import { type ReferenceAccess, readReferenceAccess } from '../protected-references/reference-access.ts'
import { findGitRepository } from '../repository/queries.ts'
import { connect, maxErrorLength } from './connection.ts'
import { findNextAttempt } from './next-attempt.ts'
import { requestPush } from './queries.ts'
import { credentialsContext, type UpdateStatus } from './remote-mirror.ts'

/** Everything that a push needs from the database. */
interface PushPlan {
  readonly id: number
  readonly projectId: number
  readonly url: string
  readonly sealedCredentials: string | null
  readonly onlyProtectedBranches: boolean
  readonly keepDivergentRefs: boolean
  readonly mirrorBranchRegex: string | null
  /** Pushes in a row that failed after all their attempts. */
  readonly failureCount: number
  /** The rules of protected branches. */
  readonly access: ReferenceAccess
  readonly repository: Repository
  readonly rules: OutboundRules
}

/** `rejected` is permanent, `failed` is retried. */
type PushOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'rejected'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string }

const findMirror = ({ db }: Context, id: number) =>
  db
    .selectFrom('remoteMirror')
    .innerJoin('project', 'project.id', 'remoteMirror.projectId')
    .where('remoteMirror.id', '=', id)
    .select(['remoteMirror.id', 'remoteMirror.projectId', 'remoteMirror.enabled', 'remoteMirror.url'])
    .select(['remoteMirror.sealedCredentials', 'remoteMirror.onlyProtectedBranches', 'remoteMirror.keepDivergentRefs'])
    .select([
      'remoteMirror.mirrorBranchRegex',
      'remoteMirror.updateStatus',
      'remoteMirror.requestedAt',
      'remoteMirror.failureCount',
      'project.namespaceId',
    ])
    .executeTakeFirst()

/** A push was requested, or the previous one failed or was interrupted by the end of its process. */
const isDue = ({ updateStatus, requestedAt }: { updateStatus: string; requestedAt: string | null }) =>
  requestedAt !== null || updateStatus === 'started' || updateStatus === 'to_retry'

/** Marks a push as started and returns its plan; undefined when no push is due. */
const startPush = async (ctx: Context, id: number): Promise<PushPlan | undefined> => {
  const row = await findMirror(ctx, id)
  if (row === undefined || !row.enabled || !isDue(row)) return undefined
  const repository = await findGitRepository(ctx, row.projectId)
  // The first push to the project creates the repository and requests the mirror push again.
  if (repository === undefined) return undefined
  const started = {
    updateStatus: 'started' as const,
    lastUpdateStartedAt: ctx.now,
    requestedAt: null,
    nextUpdateAt: null,
  }
  await ctx.db.updateTable('remoteMirror').set(started).where('id', '=', id).execute()
  const access = await readReferenceAccess(ctx, { id: row.projectId, namespaceId: row.namespaceId }, null)
  return { ...row, access, repository, rules: await getOutboundRules(ctx) }
}

/** The branches that a mirror selects; undefined for all. */
const listBranches = async (plan: PushPlan): Promise<string[] | undefined> => {
  const { repository, access, onlyProtectedBranches, mirrorBranchRegex } = plan
  if (!onlyProtectedBranches && mirrorBranchRegex === null) return undefined
  const names = (await repository.branches()).map(({ name }) => name)
  if (onlyProtectedBranches) return names.filter((name) => access.isProtected('branch', name))
  const compiled = compileNamePattern(mirrorBranchRegex ?? '')
  return 'pattern' in compiled ? names.filter(compiled.pattern.matchesPart) : []
}

const toOutcome = ({ divergent, ambiguous }: PushReport): PushOutcome => {
  const messages = [
    divergent.length && `Some refs have diverged and have not been updated on the remote: ${divergent.join(', ')}`,
    ambiguous.length &&
      `Some refs have names that git could mistake for others and have not been updated on the remote: ${ambiguous.join(', ')}`,
  ].filter(Boolean)
  return messages.length
    ? { kind: 'rejected', message: messages.join('. ').slice(0, maxErrorLength) }
    : { kind: 'done' }
}

/** Performs the push, outside transactions. Never throws. Messages contain no secrets. */
const performPush = async (ports: Ports, plan: PushPlan, signal: AbortSignal): Promise<PushOutcome> => {
  const { id, repository, keepDivergentRefs: keepDivergentReferences } = plan
  const connected = await connect(ports, { ...plan, context: credentialsContext(id) }, signal, async (remote) => {
    const branches = await listBranches(plan)
    return repository.push({ ...remote, keepDivergentReferences, ...(branches && { branches, tags: true }) })
  })
  if ('result' in connected) return toOutcome(connected.result)
  return { kind: connected.isPermanent ? 'rejected' : 'failed', message: connected.problem }
}

const toUpdateStatus = ({ kind }: PushOutcome, isLastAttempt: boolean) => {
  if (kind === 'done') return 'finished'
  return kind === 'rejected' || isLastAttempt ? 'failed' : 'to_retry'
}

/** The failures in a row, and when the next push starts without a request. */
const findNextPush = (ctx: Context, { failureCount }: PushPlan, updateStatus: UpdateStatus) => {
  if (updateStatus === 'finished') return { failureCount: 0, nextUpdateAt: null }
  if (updateStatus !== 'failed') return { failureCount, nextUpdateAt: null }
  return { failureCount: failureCount + 1, nextUpdateAt: findNextAttempt(ctx.now, failureCount + 1) }
}

/** Stores the result of a push, queues the next one after a failure that is not retried soon, and reports the first of these. */
const recordOutcome = async (ctx: Context, plan: PushPlan, outcome: PushOutcome, isLastAttempt: boolean) => {
  const { id, projectId, url } = plan
  const updateStatus = toUpdateStatus(outcome, isLastAttempt)
  const next = findNextPush(ctx, plan, updateStatus)
  await ctx.db
    .updateTable('remoteMirror')
    .set({
      updateStatus,
      ...next,
      lastUpdateAt: ctx.now,
      lastError: outcome.kind === 'done' ? null : outcome.message,
      ...(outcome.kind === 'done' && { lastSuccessfulUpdateAt: ctx.now }),
    })
    .where('id', '=', id)
    .execute()
  if (next.nextUpdateAt !== null) {
    const retry = { mirror: id, dueAt: next.nextUpdateAt }
    await ctx.enqueue('remoteMirrors.retry', retry, { runAfter: next.nextUpdateAt })
  }
  if (outcome.kind !== 'done' && next.failureCount === 1)
    await ctx.emit('remoteMirror.failed', {
      projectId,
      url: maskCredentials(url),
      message: outcome.message,
    })
}

/**
 * Pushes to a mirror. The job queue retries a failed push with increasing delays, and repeats one that was requested again
 * meanwhile. A push that was interrupted by the end of its process starts again.
 */
export const pushToMirror = defineJob('remoteMirrors.push', {
  concurrency: 8,
  concurrencyPerDestination: 2,
  async run({ ports, write, signal, isLastAttempt }, { mirror }) {
    const plan = await write((ctx) => startPush(ctx, mirror))
    if (plan === undefined) return
    const outcome = await performPush(ports, plan, signal)
    // A push that a shutdown interrupted has not failed: the mirror stays started, and the job repeats.
    if (outcome.kind !== 'done') signal.throwIfAborted()
    // A mirror that has failed before is tried once: its next attempt is at a later time.
    const isLast = isLastAttempt || plan.failureCount > 0
    await write((ctx) => recordOutcome(ctx, plan, outcome, isLast))
    if (outcome.kind === 'failed' && !isLast) throw new Error(outcome.message)
  },
})

/** Requests the push that follows a failed one after a longer time, unless another one has started meanwhile. */
export const retryMirror = defineJob('remoteMirrors.retry', {
  async run({ write }, { mirror, dueAt }) {
    await write(async (ctx) => {
      const row = await ctx.db.selectFrom('remoteMirror').where('id', '=', mirror).selectAll().executeTakeFirst()
      if (row?.enabled && row.nextUpdateAt === dueAt) await requestPush(ctx, [mirror])
    })
  },
})
