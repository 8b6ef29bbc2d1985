import type { JobPayloads } from '../contract/job-payloads.ts'
import type { Ports } from '../ports/ports.ts'
import type { Context } from './context.ts'
import type { Handle } from './store.ts'

/** The context of a running job. Slow and external work belongs between its transactions, never inside one. */
export interface JobContext {
  readonly now: string
  readonly ports: Ports
  /** Whether a failure parks the job instead of retrying it. */
  readonly isLastAttempt: boolean
  read<T>(work: (handle: Handle) => Promise<T>): Promise<T>
  /** One transaction, as the host itself. */
  write<T>(work: (ctx: Context) => Promise<T>): Promise<T>
}

export interface Job {
  readonly kind: keyof JobPayloads
  /** Runs once a day, from 00:00 UTC. */
  readonly every?: 'day'
  /** May run twice, after a crash between its effect and its completion: check the current state first. */
  run(tools: JobContext, payload: never): Promise<void>
}

/** Defines a job with the payload type of its kind. */
export const defineJob = <N extends keyof JobPayloads>(
  kind: N,
  { every, run }: { every?: 'day'; run: (tools: JobContext, payload: JobPayloads[N]) => Promise<void> },
): Job => ({ kind, ...(every && { every }), run })
