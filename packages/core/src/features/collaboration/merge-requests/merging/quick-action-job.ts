import { createUserRunner } from '../../../../access/user-runner.ts'
import type { JobPayloads } from '../../../../contract/job-payloads.ts'
import { complete } from '../../../../kernel/deferred.ts'
import { isPlatformError } from '../../../../kernel/errors.ts'
import { defineJob, type JobContext } from '../../../../kernel/jobs/job.ts'
import { assertAbility } from '../../../../policy/authorize.ts'
import { loadVisible } from '../../../../policy/visible.ts'
import { mergeRequest } from '../subject.ts'
import { mergingOperations } from './operations.ts'

const execute = async (
  tools: JobContext,
  { projectId, iid, userId, action }: JobPayloads['mergeRequests.runQuickAction'],
): Promise<unknown> => {
  const runner = createUserRunner(tools, userId)
  const operation = mergingOperations[action]
  const result = await runner.write(async (ctx) => {
    const subject = await loadVisible(ctx, mergeRequest, { project: projectId, mergeRequest: iid })
    assertAbility(ctx.actor, subject, 'mergeRequest.merge')
    return operation.run(ctx, action === 'merge' ? { autoMerge: true } : {}, subject)
  })
  return complete<unknown>(result, () => runner)
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
