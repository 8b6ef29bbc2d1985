import { type Child, type Launcher, notRun } from './child.ts'
import { gitEnvironment, gitOptions } from './environment.ts'
import { asError, failureOf, timeLimitReached, tooLarge } from './failures.ts'
import type { GitLimits } from './limits.ts'
import type { Slots } from './slots.ts'

export type Chunks = Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>

/** One process: what it is told, what it may use. */
export interface Request {
  /** Another program than git; it gets no options but `arguments`. */
  readonly program?: string
  /** The repository; left out for commands that make one. */
  readonly directory?: string
  readonly arguments: readonly string[]
  /** Settings as `name=value`. They stand in the process list: secrets go into `environment`. */
  readonly settings?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Transports that may be used; none for everything that only reads. */
  readonly protocols?: readonly string[]
  readonly input?: Chunks
  /** Milliseconds. */
  readonly timeLimit: number
  readonly signal?: AbortSignal | undefined
  /** Work whose length somebody outside decides. */
  readonly long?: boolean
  /** Works for a process that has its place already, and takes none itself. */
  readonly beside?: boolean
}

export interface RunRequest extends Request {
  /** Exit codes that are answers, besides 0. */
  readonly codes?: readonly number[]
  /** Takes the output as it comes; without it the output is collected. */
  readonly take?: (chunk: Buffer) => void
}

export interface Answer {
  readonly code: number
  readonly output: Buffer
  /** The beginning of what it printed as errors or warnings. */
  readonly complaint: string
}

/** A process that somebody reads from and, where its request has an input, has to feed. */
export interface Running {
  readonly child: Child
  /** Writes the input of the request, no faster than the process reads. */
  feed(): Promise<void>
  /** Ends it; whoever waits for it gets this error. */
  stop(error: Error): void
  /** After the last byte of output: waits for the end and throws what went wrong. */
  finish(codes?: readonly number[]): Promise<Omit<Answer, 'output'>>
}

export interface Runner {
  run(request: RunRequest): Promise<Answer>
  open(request: Request): Promise<Running>
}

const feed = async ({ input }: Child, chunks: Chunks) => {
  if (input === undefined) return
  for await (const chunk of chunks) {
    if (input.destroyed) return
    if (!input.write(chunk)) {
      await new Promise<void>((resolve) => {
        const go = () => {
          input.off('drain', go).off('close', go)
          resolve()
        }
        input.on('drain', go).on('close', go)
      })
    }
  }
  input.end()
}

/** Runs git with the fixed environment and options, a time limit, an output limit, and no more at once than `places` allow. */
export const gitRunner = (
  launcher: Launcher,
  places: Slots,
  limits: GitLimits,
  program: string,
  host: Readonly<Record<string, string>>,
): Runner => {
  const open = async (request: Request): Promise<Running> => {
    const { signal } = request
    const leave = request.beside ? () => undefined : await places.take({ long: request.long ?? false, signal })
    let child: Child
    try {
      child = await launcher.launch({
        program: request.program ?? program,
        arguments: request.program
          ? request.arguments
          : [...gitOptions(request.directory, request.settings), ...request.arguments],
        environment: { ...gitEnvironment(host, request.protocols), ...request.environment },
        input: request.input !== undefined,
      })
    } catch (error) {
      leave()
      throw error
    }
    let stopped: Error | undefined
    const stop = (error: Error) => {
      stopped ??= error
      child.kill()
      child.output.destroy(error)
    }
    const abort = () => stop(asError(signal?.reason))
    const timer = setTimeout(() => stop(timeLimitReached()), request.timeLimit)
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
    // The place is given back when the process is really gone, not when nobody reads it any more.
    void child.ended.then(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      leave()
    })
    const finish = async (codes: readonly number[] = []) => {
      const { code, complaint, failure } = await child.ended
      if (stopped !== undefined) throw stopped
      if (failure !== undefined) throw notRun(failure)
      if (code === 0 || (code !== undefined && codes.includes(code))) return { code, complaint }
      throw failureOf(request.program ?? `git ${request.arguments[0]}`, code, complaint)
    }
    const feedAll = () =>
      feed(child, request.input ?? []).catch((error: unknown) => {
        stop(asError(error))
      })
    return { child, feed: feedAll, stop, finish }
  }

  const run = async (request: RunRequest): Promise<Answer> => {
    const running = await open(request)
    const { output } = running.child
    const chunks: Buffer[] = []
    const take = request.take ?? ((chunk: Buffer) => chunks.push(chunk))
    let size = 0
    const read = new Promise<void>((resolve) => {
      output.on('data', (chunk: Buffer) => {
        const room = Math.max(0, limits.outputBytes - size)
        size += chunk.length
        try {
          take(chunk.subarray(0, room))
        } catch (error) {
          running.stop(asError(error))
        }
        if (chunk.length > room) running.stop(tooLarge('The answer of the repository'))
      })
      output.once('end', resolve).once('close', resolve)
    })
    await running.feed()
    await read
    return { ...(await running.finish(request.codes)), output: Buffer.concat(chunks) }
  }

  return { run, open }
}
