import { getProjectAccessLevel } from '../../access/actor-level.ts'
import { findPastActor } from '../../access/authenticate.ts'
import { findProject } from '../../access/projects.ts'
import type { Subjects } from '../../contract/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { isPlatformError } from '../../kernel/errors.ts'
import { defineJob, type JobContext } from '../../kernel/job.ts'
import { hasAbility } from '../../policy/authorize.ts'
import { type MergeRequestHead, readHead } from '../merge-request-changes/refresh.ts'
import type { AutoMerge } from '../merge-requests/merge-request.ts'
import { findMergeRequest } from '../merge-requests/queries.ts'
import { readReferenceAccess } from '../protected-references/reference-access.ts'
import { changeRepository } from '../repository/writable-repository.ts'
import { endAutoMerge } from './auto-merge.ts'
import { findMerger, type Merger, mergeInRepository, recordMerge } from './merge.ts'
import { notMergeableError } from './merge-errors.ts'
import { assertMergeable } from './merge-input.ts'

/** A merge that waited, with the actor who asked for it. */
interface WaitingMerge {
  readonly subject: Subjects['mergeRequest']
  readonly head: MergeRequestHead
  readonly autoMerge: AutoMerge
}

/** Undefined if the merge request was merged or closed, or no longer waits. */
const readWaiting = async (ctx: Context, projectId: number, iid: number): Promise<WaitingMerge | undefined> => {
  const project = await findProject(ctx, projectId)
  const mergeRequest = await findMergeRequest(ctx, projectId, iid)
  if (project === undefined || mergeRequest?.state !== 'opened') return undefined
  const row = await ctx.db
    .selectFrom('mergeRequest')
    .where('id', '=', mergeRequest.id)
    .select('autoMerge')
    .executeTakeFirst()
  const autoMerge = row?.autoMerge ?? null
  if (autoMerge === null) return undefined
  const subject = { kind: 'mergeRequest', project, access: 0, mergeRequest } as const
  return { subject, head: await readHead(ctx, subject), autoMerge }
}

/** The user may have lost the permission while the merge waited. */
const assertMayMerge = async (ctx: Context, { subject, autoMerge }: WaitingMerge): Promise<Merger> => {
  const { project, mergeRequest } = subject
  const isDeleted = autoMerge.userId !== null && ctx.actor.kind !== 'user'
  const access = await getProjectAccessLevel(ctx, project)
  const branches = await readReferenceAccess(ctx, project, autoMerge.userId)
  if (
    isDeleted ||
    !hasAbility(ctx.actor, { ...subject, access }, 'mergeRequest.merge') ||
    !branches.canMerge(mergeRequest.targetBranch)
  )
    throw notMergeableError('The user who set it to merge is no longer permitted to')
  await assertMergeable(ctx, mergeRequest)
  return findMerger(ctx, mergeRequest.authorId)
}

const merge = async ({ ports, now, write }: JobContext, waiting: WaitingMerge, sha: string): Promise<void> => {
  const { subject, head, autoMerge } = waiting
  const { userId, ...options } = autoMerge
  const asMerger = <T>(work: (ctx: Context) => Promise<T>): Promise<T> =>
    write(async (ctx) => work(ctx.actAs(await findPastActor(ctx, userId, 'merge'))))
  const merger = await asMerger((ctx) => assertMayMerge(ctx, waiting))
  if (head.opened === undefined) await asMerger((ctx) => recordMerge(ctx, subject))
  else
    await changeRepository({ ports, write: asMerger }, subject.project.id, (writer) =>
      mergeInRepository(writer, { subject, head, merger, options: { ...options, sha }, now }),
    )
}

/** Errors that another attempt would repeat. */
const isFinalError = (error: unknown) =>
  isPlatformError(error) && ['conflict', 'forbidden', 'unprocessable', 'not_found', 'invalid'].includes(error.code)

/** Merges a merge request whose pipeline has succeeded. A merge that is not possible ends the waiting. */
export const mergeAfterPipeline = defineJob('mergeRequests.mergeAfterPipeline', {
  async run(tools, { projectId, iid, sha }) {
    const waiting = await tools.write((ctx) => readWaiting(ctx, projectId, iid))
    if (waiting === undefined) return
    try {
      await merge(tools, waiting, sha)
    } catch (error) {
      if (!isFinalError(error)) throw error
      await tools.write((ctx) => endAutoMerge(ctx, waiting.subject.mergeRequest, (error as Error).message))
    }
  },
})
