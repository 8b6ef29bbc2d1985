import { pipeline, type Readable, Transform } from 'node:stream'
import { getErrorCode, toError } from '../../shared/error-code.ts'
import { timeLimitError, tooLargeError } from './errors.ts'
import type { GitLimits } from './limits.ts'
import type { GitRunner, ProcessRequest, RunningProcess } from './runner.ts'

/** Starts the compressor directly instead of through git, so that stopping git does not leave an orphaned process. */
const startCompressor = async (
  runner: GitRunner,
  request: ProcessRequest,
  source: RunningProcess,
  program: string,
): Promise<RunningProcess> => {
  const { timeout, signal } = request
  const input = source.child.stdout
  try {
    const compressor = await runner.spawn({ program, arguments: [], input, sharesSlot: true, timeout, signal })
    void compressor.writeInput()
    return compressor
  } catch (error) {
    source.stop(toError(error))
    throw error
  }
}

const bufferBytes = 64 * 1024

interface OutputOptions {
  /** A program that compresses the output. */
  readonly compressor?: string | undefined
  /** Bytes that must be available, unless there are fewer, before the stream is returned. Default: 64 KiB. */
  readonly startBytes?: number
  /** Default: the limit of archives. */
  readonly maximumBytes?: number
  /**
   * Recognizes a failed exit that a mistake of the client has caused. The call fails with the returned error if there was no output.
   * Otherwise the output is complete: it tells the client about the mistake.
   */
  readonly toClientError?: (error: unknown) => Error | undefined
}

const brokenConnection = new Set(['ECONNRESET', 'EPIPE'])

/** The output of a process. One that ends without reading its whole input breaks the connection; its exit has the reason. */
async function* readOutput(stdout: Readable): AsyncGenerator<Buffer> {
  try {
    yield* stdout
  } catch (error) {
    if (!brokenConnection.has(getErrorCode(error))) throw error
  }
}

/**
 * Streams the output of a process, optionally through a compressor, with backpressure. The processes end when the consumer
 * destroys the stream or stalls. A process that fails before `startBytes` fails the call, so that the caller can still reply
 * with an error. One that fails later fails the stream, so that a truncated archive is not taken for a complete one.
 */
export const createOutputStream = async (
  runner: GitRunner,
  request: ProcessRequest,
  limits: GitLimits,
  { compressor, startBytes = bufferBytes, maximumBytes = limits.archiveBytes, toClientError }: OutputOptions = {},
): Promise<Readable> => {
  const first = await runner.spawn({ ...request, isLongRunning: true })
  if (request.input !== undefined) void first.writeInput()
  const last = compressor === undefined ? first : await startCompressor(runner, request, first, compressor)
  let size = 0
  const stall = setTimeout(() => stream.destroy(timeLimitError()), limits.stallTimeout)
  const start = Promise.withResolvers<void>()
  const stream = new Transform({
    readableHighWaterMark: 2 * bufferBytes,
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      stall.refresh()
      if (size >= startBytes) start.resolve()
      if (size > maximumBytes) done(tooLargeError('The archive'))
      else done(null, chunk)
    },
    flush(done) {
      const finish = () => {
        done()
        start.resolve()
      }
      Promise.all([first.waitForExit(), last.waitForExit()]).then(finish, (error: Error) => {
        const clientError = toClientError?.(error)
        if (clientError && size > 0) finish()
        else done(clientError ?? error)
      })
    },
  })
  pipeline(readOutput(last.child.stdout), stream, (error) => {
    clearTimeout(stall)
    if (!error) return
    first.stop(error)
    last.stop(error)
    start.reject(error)
  })
  await start.promise
  return stream
}
