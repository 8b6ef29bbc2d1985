import { pipeline, type Readable, Transform } from 'node:stream'
import { asError, timeLimitReached, tooLarge } from './failures.ts'
import type { GitLimits } from './limits.ts'
import type { Request, Runner, Running } from './run.ts'

/** Started by us rather than by git: whoever ends git alone leaves its children to a process that may never look at them. */
const pack = async (runner: Runner, request: Request, packed: Running, program: string): Promise<Running> => {
  const { timeLimit, signal } = request
  const input = packed.child.output
  try {
    const packer = await runner.open({ program, arguments: [], input, beside: true, timeLimit, signal })
    void packer.feed()
    return packer
  } catch (error) {
    packed.stop(asError(error))
    throw error
  }
}

/**
 * The output of a process as a stream, through a packing program if one is named: no more is read than the consumer takes,
 * the processes end when the consumer goes away or takes nothing for too long, and one that fails makes the stream fail, so
 * that a torn archive never looks whole.
 */
export const outputStream = async (
  runner: Runner,
  request: Request,
  limits: GitLimits,
  packer?: string,
): Promise<Readable> => {
  const first = await runner.open({ ...request, long: true })
  const last = packer === undefined ? first : await pack(runner, request, first, packer)
  let size = 0
  const stall = setTimeout(() => stream.destroy(timeLimitReached()), limits.stallTime)
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      stall.refresh()
      if (size > limits.archiveBytes) done(tooLarge('The archive'))
      else done(null, chunk)
    },
    flush(done) {
      Promise.all([first.finish(), last.finish()]).then(
        () => done(),
        (error: Error) => done(error),
      )
    },
  })
  pipeline(last.child.output, stream, (error) => {
    clearTimeout(stall)
    if (!error) return
    first.stop(error)
    last.stop(error)
  })
  return stream
}
