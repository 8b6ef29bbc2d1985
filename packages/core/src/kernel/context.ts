import type { JobPayloads } from '../jobs.ts'
import type { Ports } from '../ports/ports.ts'
import type { Signals } from '../signals.ts'
import type { Actor } from './actor.ts'
import type { Call } from './call.ts'
import type { Remembered } from './memory.ts'
import type { Handle, Soon } from './store.ts'

/** Everything a feature may touch while it runs. Inside a command, `db` and `run` are the transaction. */
export interface Context extends Handle {
  readonly actor: Actor
  /** What the adapter knows of the call; empty for calls from the library and for jobs. */
  readonly call: Call
  /** The instant of the call: ISO 8601, UTC, milliseconds. */
  readonly now: string
  readonly ports: Ports
  /** Which licensed tier the platform runs as. */
  readonly tier: 'paid' | 'free'
  /** States a fact. Reactions run now, in the same transaction; listeners of the host after the commit. */
  emit<N extends keyof Signals>(name: N, fact: Signals[N]): Soon<void>
  /** What hardly ever changes, from the platform's memory; a transaction that has forgotten it reads it anew. */
  recall<T>(of: Remembered<T>): Soon<T>
  /** Says that this transaction changes something that is remembered. */
  forget(of: Remembered<unknown>): void
  /** Work for after the commit, kept in a table so that it survives a crash and vanishes with a rollback. */
  enqueue<N extends keyof JobPayloads>(kind: N, payload: JobPayloads[N], options?: EnqueueOptions): Promise<void>
}

export interface EnqueueOptions {
  /** At most one pending job of a kind has this key: a second one is dropped. */
  readonly key?: string
  /** Not before this instant. */
  readonly runAfter?: string
}

/** The day of the call, UTC: `2026-11-21`. */
export const today = (ctx: { readonly now: string }): string => ctx.now.slice(0, 10)
