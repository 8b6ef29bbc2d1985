import type { Readable, Writable } from 'node:stream'
import { PlatformError } from '../../kernel/errors.ts'

export interface Command {
  readonly program: string
  readonly arguments: readonly string[]
  /** All of it: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>
  /** Whether the process reads anything from us. */
  readonly input: boolean
}

export interface Ending {
  /** Absent when a signal ended the process or it never ran. */
  readonly code: number | undefined
  /** The beginning of what it printed as errors. */
  readonly complaint: string
  /** Why it could not be started: a system error code such as `ENOENT`; or `lost`, when nobody can tell how it ended. */
  readonly failure: string | undefined
}

/** A running process. It counts as work that the host process waits for, until `hold(false)`. */
export interface Child {
  readonly output: Readable
  readonly input: Writable | undefined
  /** Never rejects. */
  readonly ended: Promise<Ending>
  /** Asks it and everything it started to end, and ends what is still there a second later. */
  kill(): void
  hold(wanted: boolean): void
}

/** How processes are started. */
export interface Launcher {
  start(): Promise<void>
  launch(command: Command): Promise<Child>
  /** Ends what was started; nothing can be started afterwards. */
  close(): Promise<void>
}

/** What is kept of a process's errors. */
export const complaintBytes = 16 * 1024

/** The process that started it has ended, and told nothing. */
export const lost = 'lost'

/** For a process that never ran, or was lost. */
export const notRun = (failure: string): PlatformError =>
  failure === lost
    ? new PlatformError('unavailable', 'The git helper process has ended', { reason: 'helper' })
    : new PlatformError('unavailable', 'The git program could not be started', {
        reason: 'git_missing',
        cause: failure,
      })

export const portClosed = (): PlatformError =>
  new PlatformError('unavailable', 'The git port is closed', { reason: 'closed' })
