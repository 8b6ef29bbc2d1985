import { toError } from '../../shared/error-code.ts'
import type { SlotPool } from '../slot-pool.ts'
import { type ChildProcess, type Launcher, processStartError } from './child-process.ts'
import { buildGitEnvironment, buildGitOptions } from './environment.ts'
import { createProcessError, timeLimitError, tooLargeError } from './errors.ts'
import type { GitLimits } from './limits.ts'

export type InputChunks = Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>

export interface ProcessRequest {
  /** Another program than git. It receives only `arguments`, no git options. */
  readonly program?: string
  /** The repository. Not set for commands that create one. */
  readonly directory?: string
  readonly arguments: readonly string[]
  /** git settings as `name=value`. Visible in the process list: pass secrets in `environment`. */
  readonly settings?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Allowed transports. Default: none. */
  readonly protocols?: readonly string[]
  readonly input?: InputChunks
  /** Milliseconds. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
  /** The duration depends on a client. */
  readonly isLongRunning?: boolean
  /** The duration depends on a remote server: the process has a slot among those of remote servers only. */
  readonly isRemote?: boolean
  /** Runs in the slot of another process instead of acquiring one. */
  readonly sharesSlot?: boolean
}

export interface RunRequest extends ProcessRequest {
  /** Exit codes that are not errors, in addition to 0. */
  readonly expectedExitCodes?: readonly number[]
  /** Receives the output in chunks. Without it, the output is buffered. */
  readonly onOutput?: (chunk: Buffer) => void
}

export interface ProcessResult {
  readonly code: number
  readonly output: Buffer
  /** The first `stderrBytes` of the standard error. */
  readonly stderr: string
}

/** The caller must read the output and, if the request has an input, call `writeInput`. */
export interface RunningProcess {
  readonly child: ChildProcess
  /** Writes the input of the request with backpressure. */
  writeInput(): Promise<void>
  /** Stops the process. `waitForExit` throws the error. */
  stop(error: Error): void
  /** Waits for the exit, after the output has been read. Throws for an unexpected exit. */
  waitForExit(codes?: readonly number[]): Promise<Omit<ProcessResult, 'output'>>
}

export interface GitRunner {
  run(request: RunRequest): Promise<ProcessResult>
  spawn(request: ProcessRequest): Promise<RunningProcess>
}

const writeChunks = async ({ stdin }: ChildProcess, chunks: InputChunks) => {
  if (stdin === undefined) return
  for await (const chunk of chunks) {
    if (stdin.destroyed) return
    if (!stdin.write(chunk)) {
      await new Promise<void>((resolve) => {
        const proceed = () => {
          stdin.off('drain', proceed).off('close', proceed)
          resolve()
        }
        stdin.on('drain', proceed).on('close', proceed)
      })
    }
  }
  stdin.end()
}

/**
 * Runs git with a fixed environment, fixed options, a time limit and an output limit. `slots` limit concurrency; `remote` is
 * separate, so that unresponsive servers do not occupy the slots of readers.
 */
export const createGitRunner = (
  launcher: Launcher,
  slots: { readonly local: SlotPool; readonly remote: SlotPool },
  limits: GitLimits,
  program: string,
  hostEnvironment: Readonly<Record<string, string>>,
): GitRunner => {
  const spawn = async (request: ProcessRequest): Promise<RunningProcess> => {
    const { signal, isRemote = false, isLongRunning = false } = request
    const releaseSlot = request.sharesSlot
      ? () => undefined
      : await (isRemote ? slots.remote.acquire({ signal }) : slots.local.acquire({ isLongRunning, signal }))
    let child: ChildProcess
    try {
      child = await launcher.launch({
        program: request.program ?? program,
        arguments: request.program
          ? request.arguments
          : [...buildGitOptions(request.directory, request.settings), ...request.arguments],
        environment: { ...buildGitEnvironment(hostEnvironment, request.protocols), ...request.environment },
        hasInput: request.input !== undefined,
      })
    } catch (error) {
      releaseSlot()
      throw error
    }
    let stopError: Error | undefined
    const stop = (error: Error) => {
      stopError ??= error
      child.kill()
      child.stdout.destroy(error)
    }
    const abort = () => stop(toError(signal?.reason))
    const timer = setTimeout(() => stop(timeLimitError()), request.timeout)
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
    // The slot is released at the exit of the process, not when its output has been read.
    void child.exit.then(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      releaseSlot()
    })
    const waitForExit = async (codes: readonly number[] = []) => {
      const { code, stderr, errorCode } = await child.exit
      if (stopError !== undefined) throw stopError
      if (errorCode !== undefined) throw processStartError(errorCode)
      if (code === 0 || (code !== undefined && codes.includes(code))) return { code, stderr }
      throw createProcessError(request.program ?? `git ${request.arguments[0]}`, code, stderr)
    }
    const writeInput = () =>
      writeChunks(child, request.input ?? []).catch((error: unknown) => {
        stop(toError(error))
      })
    return { child, writeInput, stop, waitForExit }
  }

  const run = async (request: RunRequest): Promise<ProcessResult> => {
    const running = await spawn(request)
    const { stdout } = running.child
    const chunks: Buffer[] = []
    const onOutput = request.onOutput ?? ((chunk: Buffer) => chunks.push(chunk))
    let size = 0
    const outputEnd = new Promise<void>((resolve) => {
      stdout.on('data', (chunk: Buffer) => {
        const remainingBytes = Math.max(0, limits.outputBytes - size)
        size += chunk.length
        try {
          onOutput(chunk.subarray(0, remainingBytes))
        } catch (error) {
          running.stop(toError(error))
        }
        if (chunk.length > remainingBytes) running.stop(tooLargeError('The output of git'))
      })
      stdout.once('end', resolve).once('close', resolve)
    })
    // A process can end before its input does, such as one that reads a pack from an open connection.
    await Promise.race([running.writeInput(), outputEnd])
    await outputEnd
    return { ...(await running.waitForExit(request.expectedExitCodes)), output: Buffer.concat(chunks) }
  }

  return { run, spawn }
}
