import { pipeline, type Readable, Transform } from 'node:stream'
import type { GitLimits } from './limits.ts'
import { type Request, type Runner, timeLimitReached, tooLarge } from './run.ts'

/**
 * The output of a process as a stream: no more is read than the consumer takes, the process ends when the consumer goes
 * away or takes nothing for too long, and a process that fails makes the stream fail, so that a torn archive never looks whole.
 */
export const outputStream = async (runner: Runner, request: Request, limits: GitLimits): Promise<Readable> => {
  const running = await runner.open({ ...request, long: true })
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
      running.finish().then(
        () => done(),
        (error: Error) => done(error),
      )
    },
  })
  pipeline(running.child.output, stream, (error) => {
    clearTimeout(stall)
    if (error) running.stop(error)
  })
  return stream
}
