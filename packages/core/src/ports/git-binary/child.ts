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
  /** Why it could not be started: a system error code such as `ENOENT`. */
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
  close(): Promise<void>
}

/** What is kept of a process's errors. */
export const complaintBytes = 16 * 1024

/** For a process that never ran; `failure` is the system's code. */
export const cannotStart = (failure: string): PlatformError =>
  new PlatformError('unavailable', 'The git program could not be started', { reason: 'git_missing', cause: failure })
