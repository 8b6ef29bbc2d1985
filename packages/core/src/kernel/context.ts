import type { JobPayloads } from '../contract/job-payloads.ts'
import type { Signals } from '../contract/signals.ts'
import type { Ports } from '../ports/ports.ts'
import type { Actor } from './actor.ts'
import type { Call } from './call.ts'
import type { Precondition } from './precondition.ts'
import type { Container } from './serialization.ts'
import type { Handle, MaybePromise } from './store.ts'

/** What operations, reactions and jobs receive. Inside a command, `db` and `run` use its transaction. */
export interface Context extends Handle {
  readonly actor: Actor
  /** Details of the request from the adapter; empty for library calls and jobs. */
  readonly call: Call
  /** The condition of a removal; undefined without one, for queries and for jobs. */
  readonly precondition: Precondition | undefined
  /** The time of the call: ISO 8601, UTC, with milliseconds. */
  readonly now: string
  readonly ports: Ports
  /** The licensed tier of the platform. */
  readonly tier: 'paid' | 'free'
  /** The GitLab version that clients see. */
  readonly apiVersion: string
  /** Whether pushes create pipelines. */
  readonly pipelinesOnPush: boolean
  /** The cost of new password hashes. */
  readonly passwordCost: number
  /** Waits until the command excludes the others in a container. Effective once: for the container of the subject. */
  lockContainer(container: Container): MaybePromise<void>
  /**
   * The answer of an external service. The first time, it rolls the transaction back, asks, and starts the operation again with the
   * answer: call it before anything expensive. The question must not depend on what the operation has written.
   */
  ask<T>(key: string, question: () => Promise<T>): T
  /**
   * Asks the external authorization service for the project of a subject, if one is configured.
   *
   * @throws PlatformError `forbidden`, or `not_found` for anonymous callers
   */
  assertAuthorized(subject: ProjectContent, ability?: string): MaybePromise<void>
  /** The same transaction as another actor: signals that it emits have that actor. */
  actAs(actor: Actor): Context
  /** Emits a signal. Reactions run now, in the same transaction; listeners of the host run after the commit. */
  emit<N extends keyof Signals>(name: N, payload: Signals[N]): MaybePromise<void>
  /** Queues a job that runs after the commit. The queue is a table: jobs survive a crash and disappear with a rollback. */
  enqueue<N extends keyof JobPayloads>(kind: N, payload: JobPayloads[N], options?: EnqueueOptions): Promise<void>
  /** Queues several jobs with one statement: at least one, at most 1,000. */
  enqueueAll<N extends keyof JobPayloads>(kind: N, jobs: readonly NewJob<N>[]): Promise<void>
}

/** A subject; those of a project contain it. */
export interface ProjectContent {
  readonly kind: string
  readonly project?: { readonly id: number } | null
}

export interface EnqueueOptions {
  /** At most one job of a kind has this key. A further one is dropped, except that a running job then runs once more. */
  readonly key?: string
  /** The host that the job connects to. A lane can limit the concurrent jobs of one destination. */
  readonly destination?: string
  /** The earliest time to run, ISO 8601; at most a day from now. */
  readonly runAfter?: string
}

export interface NewJob<N extends keyof JobPayloads> extends EnqueueOptions {
  readonly payload: JobPayloads[N]
}

/** The day of the call, UTC: `2026-11-21`. */
export const today = (ctx: { readonly now: string }): string => ctx.now.slice(0, 10)
