import { defineJob } from '../../../kernel/jobs/job.ts'
import { findActingUser } from './acting-user.ts'
import { createInJob, isFinalError } from './create-in-job.ts'
import { createPushPipeline } from './push-pipeline.ts'

/** Creates the pipeline of a push, with the permissions of the pushing user. One that cannot be created is left out. */
export const createPipelineOnPush = defineJob('pipelines.createOnPush', {
  async run({ write }, push) {
    const pusher = await write((ctx) => findActingUser(ctx, push, 'pipeline.run'))
    if (pusher === undefined) return
    const { actor, subject } = pusher
    try {
      await createInJob({ write }, actor, (ctx) => createPushPipeline(ctx, subject, push))
    } catch (error) {
      if (!isFinalError(error)) throw error
    }
  },
})
