import { notFound, PlatformError } from '../../kernel/errors.ts'
import { type Child, cannotStart, type Launcher } from './child.ts'
import { gitEnvironment, gitOptions } from './environment.ts'
import type { GitLimits } from './limits.ts'
import type { Slots } from './slots.ts'

/** One git process: what it is told, what it may use. */
export interface Request {
  /** The repository; left out for commands that make one. */
  readonly directory?: string
  readonly arguments: readonly string[]
  /** Settings as `name=value`. They stand in the process list: secrets go into `environment`. */
  readonly settings?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Transports that may be used; none for everything that only reads. */
  readonly protocols?: readonly string[]
  readonly input?: Iterable<Uint8Array | string>
  /** Milliseconds. */
  readonly timeLimit: number
  readonly signal?: AbortSignal | undefined
  /** Work whose length somebody outside decides. */
  readonly long?: boolean
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

/** A process that somebody reads from. */
export interface Running {
  readonly child: Child
  /** Ends it; whoever waits for it gets this error. */
  stop(error: Error): void
  /** After the last byte of output: waits for the end and throws what went wrong. */
  finish(codes?: readonly number[]): Promise<Omit<Answer, 'output'>>
}

export interface Runner {
  run(request: RunRequest): Promise<Answer>
  open(request: Request): Promise<Running>
}

/** git ended in a way no caller asked for: a defect or a damaged repository. The text is for the log, never for a reader. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure'
  readonly code: number | undefined
  readonly complaint: string

  constructor(command: string, code: number | undefined, complaint: string) {
    super(`git ${command} ended with ${code ?? 'a signal'}: ${complaint.trim()}`)
    this.code = code
    this.complaint = complaint
  }
}

export const timeLimitReached = (): PlatformError =>
  new PlatformError('unavailable', 'The repository took too long to answer', { reason: 'time_limit', retryAfter: 10 })

export const tooLarge = (thing: string): PlatformError =>
  new PlatformError('unprocessable', `${thing} is too large`, { reason: 'too_large' })

export const isTooLarge = (error: unknown): boolean => error instanceof PlatformError && error.reason === 'too_large'

const isNoRepository = (complaint: string) => complaint.includes('not a git repository')

/** What a process printed as error, as the error to throw. */
export const failureOf = (command: string, code: number | undefined, complaint: string): Error =>
  isNoRepository(complaint) ? notFound('Repository') : new GitFailure(command, code, complaint)

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))

const feed = async ({ input }: Child, chunks: Iterable<Uint8Array | string>) => {
  if (input === undefined) return
  for (const chunk of chunks) {
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
    const leave = await places.take({ long: request.long ?? false, signal })
    let child: Child
    try {
      child = await launcher.launch({
        program,
        arguments: [...gitOptions(request.directory, request.settings), ...request.arguments],
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
      if (failure !== undefined) throw cannotStart(failure)
      if (code === 0 || (code !== undefined && codes.includes(code))) return { code, complaint }
      throw failureOf(request.arguments[0] ?? '', code, complaint)
    }
    return { child, stop, finish }
  }

  const run = async (request: RunRequest): Promise<Answer> => {
    const running = await open(request)
    const { output } = running.child
    const chunks: Buffer[] = []
    const take = request.take ?? ((chunk: Buffer) => chunks.push(chunk))
    let size = 0
    const read = new Promise<void>((resolve) => {
      output.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > limits.outputBytes) return running.stop(tooLarge('The answer of the repository'))
        try {
          take(chunk)
        } catch (error) {
          running.stop(asError(error))
        }
      })
      output.once('end', resolve).once('close', resolve)
    })
    if (request.input !== undefined) {
      await feed(running.child, request.input).catch((error: unknown) => running.stop(asError(error)))
    }
    await read
    return { ...(await running.finish(request.codes)), output: Buffer.concat(chunks) }
  }

  return { run, open }
}
