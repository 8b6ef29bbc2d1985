import { setImmediate } from 'node:timers/promises'
import type { Context } from '../context.ts'
import type { JobContext } from './job.ts'

/**
 * Repeats a step of a job, each time in a transaction of its own, until it returns false. Requests and other writers run between the
 * steps. Ends when the platform shuts down: the job then continues after the restart.
 */
export async function repeatStep(
  { write, signal }: Pick<JobContext, 'write' | 'signal'>,
  step: (ctx: Context) => Promise<boolean>,
): Promise<void> {
  while (await write(step)) await setImmediate(undefined, { signal })
}
