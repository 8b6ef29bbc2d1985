import { getProjectAccessLevel } from '../../../../access/actor-level.ts'
import { findActiveActor, findPastActor } from '../../../../access/authenticate.ts'
import { findProject } from '../../../../access/projects.ts'
import type { JobPayloads } from '../../../../contract/job-payloads.ts'
import type { Subjects } from '../../../../contract/subjects.ts'
import type { Actor } from '../../../../kernel/actor.ts'
import type { Context } from '../../../../kernel/context.ts'
import { isPlatformError, type PlatformError } from '../../../../kernel/errors.ts'
import { defineJob, type JobContext } from '../../../../kernel/jobs/job.ts'
import { addSeconds } from '../../../../kernel/jobs/times.ts'
import { hasAbility } from '../../../../policy/authorize.ts'
import { readReferenceAccess } from '../../../code/protected-references/reference-access.ts'
import { changeRepository } from '../../../code/repository/writable-repository.ts'
import { abortAutoMerge, findAutoMerge } from '../auto-merge.ts'
import { type MergeRequestHead, readHead } from '../changes/head.ts'
import { type AutoMerge, isTooEarly } from '../merge-request.ts'
import { loadConditions } from '../mergeability.ts'
import { findMergeRequest } from '../queries.ts'
import { findMerger, type Merger, mergeInRepository, recordMerge } from './merge.ts'
import { notMergeableError } from './merge-errors.ts'
import { assertStillMergeable } from './merge-input.ts'

/** A merge request that is set to merge when its pipeline succeeds, with the user who set it. */
interface WaitingMerge {
  readonly subject: Subjects['mergeRequest']
  readonly head: MergeRequestHead
  readonly autoMerge: AutoMerge
}

/**
 * Undefined if the merge request is not open, is not set to merge, or has a newer head pipeline that has not succeeded; also before
 * its time, for which another job waits.
 */
const readWaiting = async (
  ctx: Context,
  { projectId, iid, sha }: JobPayloads['mergeRequests.mergeAfterPipeline'],
): Promise<WaitingMerge | undefined> => {
  const project = await findProject(ctx, projectId)
  const record = await findMergeRequest(ctx, projectId, iid)
  if (project === undefined || record?.state !== 'opened') return undefined
  const autoMerge = await findAutoMerge(ctx, record.id)
  if (autoMerge === null) return undefined
  const subject = { kind: 'mergeRequest', project, access: 0, mergeRequest: record } as const
  const waiting = { subject, head: await readHead(ctx, subject), autoMerge }
  const { headPipeline } = (await loadConditions(ctx, [record]))(record)
  // An earlier pipeline may have succeeded before the merge was set again.
  const isAwaited = headPipeline === null || (headPipeline.status === 'success' && headPipeline.sha === sha)
  if (!isAwaited) return undefined
  if (!isTooEarly(record, ctx.now)) return waiting
  // The longest delay of a job is a day.
  const tomorrow = addSeconds(ctx.now, 86_400)
  const runAfter = isTooEarly(record, tomorrow) ? tomorrow : (record.mergeAfter ?? ctx.now)
  await ctx.enqueue('mergeRequests.mergeAfterPipeline', { projectId, iid, sha }, { runAfter })
  return undefined
}

const refused = () => notMergeableError('The user who set it to merge is no longer permitted to')

/** @throws PlatformError `conflict` if the user was blocked or deleted after setting the merge request to merge */
const findMergingActor = async (ctx: Context, { userId }: AutoMerge): Promise<Actor> => {
  if (userId === null) return { kind: 'system', reason: 'merge' }
  const actor = await findActiveActor(ctx, userId)
  if (actor === undefined) throw refused()
  return actor
}

/** Checks the present permissions of the user, and that the target branch and the commit are those of the time at which the merge was set. */
const assertMayMerge = async (ctx: Context, { subject, autoMerge }: WaitingMerge): Promise<Merger> => {
  const { project, mergeRequest } = subject
  const access = await getProjectAccessLevel(ctx, project)
  const branches = await readReferenceAccess(ctx, project, autoMerge.userId)
  if (
    !hasAbility(ctx.actor, { ...subject, access }, 'mergeRequest.merge') ||
    !branches.canMerge(mergeRequest.targetBranch)
  )
    throw refused()
  if (autoMerge.targetBranch !== mergeRequest.targetBranch) throw notMergeableError('The target branch was changed')
  await assertStillMergeable(ctx, mergeRequest)
  return findMerger(ctx, mergeRequest.authorId)
}

const merge = async ({ ports, now, write }: JobContext, waiting: WaitingMerge): Promise<void> => {
  const { subject, head, autoMerge } = waiting
  const { userId: _, targetBranch: __, sha, ...options } = autoMerge
  const asMerger = <T>(work: (ctx: Context) => Promise<T>): Promise<T> =>
    write(async (ctx) => work(ctx.actAs(await findMergingActor(ctx, autoMerge))))
  const assertPossible = (ctx: Context) => assertMayMerge(ctx, waiting)
  const merger = await asMerger(assertPossible)
  if (head.opened === undefined) await asMerger((ctx) => recordMerge(ctx, subject))
  else
    await changeRepository({ ports, write: asMerger }, subject.project.id, (writer) =>
      mergeInRepository(writer, {
        ...{ subject, head, merger, now, assertPossible },
        // Without a known commit, none was seen: the merge fails.
        options: { ...options, sha: sha ?? '' },
      }),
    )
}

/** Errors that another attempt would repeat. */
const isFinalError = (error: unknown): error is PlatformError =>
  isPlatformError(error) && ['conflict', 'forbidden', 'unprocessable', 'not_found', 'invalid'].includes(error.code)

/** Merges a merge request after its pipeline has succeeded. If it cannot be merged, it is no longer set to merge. */
export const mergeAfterPipeline = defineJob('mergeRequests.mergeAfterPipeline', {
  async run(tools, payload) {
    const waiting = await tools.write((ctx) => readWaiting(ctx, payload))
    if (waiting === undefined) return
    try {
      await merge(tools, waiting)
    } catch (error) {
      if (!isFinalError(error)) throw error
      const { message } = error
      await tools.write(async (ctx) => {
        const asMerger = ctx.actAs(await findPastActor(ctx, waiting.autoMerge.userId, 'merge'))
        await abortAutoMerge(asMerger, waiting.subject.mergeRequest, 'it cannot be merged', message)
      })
    }
  },
})
