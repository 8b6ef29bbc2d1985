import type { Readable, Writable } from 'node:stream'
import { PlatformError } from '../../kernel/errors.ts'

export interface ProcessSpec {
  readonly program: string
  readonly arguments: readonly string[]
  /** The complete environment: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>
  /** Whether the process reads its standard input. */
  readonly hasInput: boolean
}

export interface ProcessExit {
  /** Undefined when a signal ended the process or it was not started. */
  readonly code: number | undefined
  /** The first `stderrBytes` of its standard error. */
  readonly stderr: string
  /** The system error code of a failed start, such as `ENOENT`, or `helperLost`. */
  readonly errorCode: string | undefined
}

/** A running process. It keeps the host process alive until `setReferenced(false)`. */
export interface ChildProcess {
  readonly stdout: Readable
  readonly stdin: Writable | undefined
  /** Never rejects. */
  readonly exit: Promise<ProcessExit>
  /** Sends SIGTERM to the process and its descendants, and SIGKILL after one second. */
  kill(): void
  /** Whether the process keeps the host process alive. */
  setReferenced(isReferenced: boolean): void
}

/** Starts processes. */
export interface Launcher {
  start(): Promise<void>
  launch(command: ProcessSpec): Promise<ChildProcess>
  /** Stops all processes. `launch` fails afterwards. */
  close(): Promise<void>
}

/** Bytes of standard error that are stored. */
export const stderrBytes = 16 * 1024

/** The error code when the helper has ended and the exit of the process is unknown. */
export const helperLost = 'lost'

export const processStartError = (errorCode: string): PlatformError =>
  errorCode === helperLost
    ? new PlatformError('unavailable', 'The git helper process has ended', { cause: helperLost })
    : new PlatformError('unavailable', 'The git program could not be started', {
        reason: 'git_missing',
        cause: errorCode,
      })

export const isHelperLost = (error: unknown): boolean => error instanceof PlatformError && error.cause === helperLost

export const portClosedError = (): PlatformError =>
  new PlatformError('unavailable', 'The git port is closed', { reason: 'shutdown' })
