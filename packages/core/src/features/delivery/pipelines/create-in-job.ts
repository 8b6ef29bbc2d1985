import type { Actor } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { actDeferredAs, complete, type Deferred } from '../../../kernel/deferred.ts'
import { isPlatformError } from '../../../kernel/errors.ts'
import type { JobContext } from '../../../kernel/jobs/job.ts'

/** Errors of the pipeline file, the ref or the permissions, which another attempt would repeat. */
export const isFinalError = (error: unknown): boolean =>
  isPlatformError(error) && ['invalid', 'not_found', 'unprocessable', 'forbidden'].includes(error.code)

/** Creates a pipeline in a job, with the permissions of the actor. */
export const createInJob = async <T>(
  { write }: Pick<JobContext, 'write'>,
  actor: Actor,
  create: (ctx: Context) => Promise<Deferred<T>>,
): Promise<T> => {
  const pipeline = await write((ctx) => create(ctx.actAs(actor)))
  return complete(actDeferredAs(actor, pipeline), () => ({ read: write, write }))
}
