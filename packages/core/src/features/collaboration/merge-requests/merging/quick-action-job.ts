import { findActiveActor } from '../../../../access/authenticate.ts'
import type { JobPayloads } from '../../../../contract/job-payloads.ts'
import type { Context } from '../../../../kernel/context.ts'
import { complete } from '../../../../kernel/deferred.ts'
import { isPlatformError, notFound } from '../../../../kernel/errors.ts'
import { defineJob, type JobContext } from '../../../../kernel/jobs/job.ts'
import type { MaybePromise } from '../../../../kernel/store.ts'
import { assertAbility } from '../../../../policy/authorize.ts'
import { loadVisible } from '../../../../policy/visible.ts'
import { mergeRequest } from '../subject.ts'
import { mergingOperations } from './operations.ts'

const execute = async (
  { write }: JobContext,
  { projectId, iid, userId, action }: JobPayloads['mergeRequests.runQuickAction'],
): Promise<unknown> => {
  const asUser = <T>(work: (ctx: Context) => MaybePromise<T>): Promise<T> =>
    write(async (ctx) => {
      const actor = await findActiveActor(ctx, userId)
      if (actor === undefined) throw notFound('User')
      return work(ctx.actAs(actor))
    })
  const operation = mergingOperations[action]
  const result = await asUser(async (ctx) => {
    const subject = await loadVisible(ctx, mergeRequest, { project: projectId, mergeRequest: iid })
    assertAbility(ctx.actor, subject, 'mergeRequest.merge')
    return operation.run(ctx, action === 'merge' ? { autoMerge: true } : {}, subject)
  })
  return complete<unknown>(result, () => ({ read: asUser, write: asUser }))
}

/** Merges or rebases a merge request for a quick action. The merge request contains the reason of a failure. */
export const runMergeQuickAction = defineJob('mergeRequests.runQuickAction', {
  async run(tools, payload) {
    try {
      await execute(tools, payload)
    } catch (error) {
      if (!isPlatformError(error) || error.code === 'unavailable') throw error
      const { message: mergeError } = error
      await tools.write((ctx) =>
        ctx.db
          .updateTable('mergeRequest')
          .set({ mergeError })
          .where('projectId', '=', payload.projectId)
          .where('iid', '=', payload.iid)
          .where('state', '=', 'opened')
          .execute(),
      )
    }
  },
})
