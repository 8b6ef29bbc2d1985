import type { ArchiveSeeds } from '../../contract/archive-data.ts'
import type { JobPayloads } from '../../contract/job-payloads.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Context } from '../context.ts'
import type { Handle } from '../store.ts'

/** The context of a running job. Slow and external work belongs between its transactions, never inside one. */
export interface JobContext {
  readonly now: string
  readonly ports: Ports
  /** Aborts when the platform shuts down: pass it to every outbound call. The job then runs again after the restart. */
  readonly signal: AbortSignal
  /** Whether a failure parks the job instead of retrying it. */
  readonly isLastAttempt: boolean
  /** One read, as the host itself, which blocks no writer. It sees all changes that were committed before. */
  read<T>(work: (ctx: Context) => Promise<T>): Promise<T>
  /** One transaction, as the host itself. */
  write<T>(work: (ctx: Context) => Promise<T>): Promise<T>
  /** Loads what reads and adds the data of whole projects and groups. */
  openArchiveSeeds(): Promise<ArchiveSeeds>
}

/** The part of a job's definition that does not depend on its payload. */
interface JobOptions {
  /** Runs once a day, from 00:00 UTC. */
  readonly every?: 'day'
  /**
   * For daily jobs: the earliest time at which a run has an effect if the data does not change until then; undefined for
   * never. Advancing a test clock skips the days before it.
   */
  readonly findNextEffect?: (
    handle: Handle,
    context: { readonly now: string; readonly ports: Ports },
  ) => Promise<string | undefined>
  /** Jobs of this kind that one process runs at the same time. Default 1. */
  readonly concurrency?: number
  /** Jobs of this kind with the same destination that all processes together run at the same time. Default: no limit. */
  readonly concurrencyPerDestination?: number
  /** One run does the work of all due jobs with the same destination: a claim removes the others. */
  readonly coalesces?: boolean
}

export interface Job extends JobOptions {
  readonly kind: keyof JobPayloads
  /** May run twice, after a crash between its effect and its completion: check the current state first. */
  run(tools: JobContext, payload: never): Promise<void>
}

/** Defines a job with the payload type of its kind. */
export const defineJob = <N extends keyof JobPayloads>(
  kind: N,
  job: JobOptions & { readonly run: (tools: JobContext, payload: JobPayloads[N]) => Promise<void> },
): Job => ({ kind, ...job })
