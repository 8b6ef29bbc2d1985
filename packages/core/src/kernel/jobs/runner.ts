import { setTimeout as pause } from 'node:timers/promises'
import { createTimeSlice } from '../../shared/time-slice.ts'
import type { Call } from '../call.ts'
import { PlatformError } from '../errors.ts'
import type { Store } from '../store.ts'
import type { Job, JobContext } from './job.ts'
import {
  type ClaimedJob,
  claim,
  endAbandonedLeases,
  enqueueRecurring,
  fail,
  findDueKinds,
  finish,
  maxAttempts,
  renewLease,
  returnToQueue,
} from './queue.ts'
import { correctFutureTimes } from './times.ts'

export interface JobRunnerOptions {
  readonly store: Store
  readonly jobs: readonly Job[]
  /** The current time, ISO 8601. */
  readonly now: () => string
  /** Milliseconds that `stop` waits for running jobs. Default: five seconds. */
  readonly stopTimeout?: number
  /** The context of a job, without the parts that belong to one run. */
  readonly createContext: (call: Call) => Omit<JobContext, 'isLastAttempt' | 'signal'>
}

/** Runs jobs in lanes, one for each kind: a slow or unresponsive kind delays no other one. */
export interface JobRunner {
  /**
   * Runs all due jobs, including those that become due while it runs.
   *
   * @param isDone called before each job: the remaining ones stay in the queue when it returns true
   * @returns the number of jobs that ran, including failed ones, which are retried later and parked after 10 attempts
   */
  drain(isDone?: () => boolean): Promise<number>
  /**
   * Starts due jobs every `interval` milliseconds, without waiting for running ones. `onRecovery` is called when due jobs
   * can be read again after an error.
   *
   * @returns a function that ends this and calls `stop`
   */
  start(interval: number, onError: (error: unknown) => void, onRecovery?: () => void): () => Promise<void>
  /**
   * Aborts running jobs and returns them to the queue. Those that do not end within `stopTimeout` are abandoned: another
   * process, or this one after a restart, repeats them when their lease expires.
   */
  stop(): Promise<void>
  /** Ends every `start` and calls `stop`. */
  close(): Promise<void>
}

interface Lane {
  readonly job: Job
  /** The number of loops that claim and run jobs of this lane. */
  workers: number
}

const createShutdownError = () =>
  new PlatformError('unavailable', 'The platform is shutting down', { reason: 'shutdown' })

export const createJobRunner = (options: JobRunnerOptions): JobRunner => {
  const { store, jobs, now, createContext, stopTimeout = 5_000 } = options
  const lanes: readonly Lane[] = jobs.map((job) => ({ job, workers: 0 }))
  const recurring = jobs.filter(({ every }) => every)
  const running = new Set<Promise<void>>()
  const errorListeners = new Set<(error: unknown) => void>()
  const timers = new Set<NodeJS.Timeout>()
  let controller = new AbortController()
  let completed = 0
  const never = () => false
  /** Of the running `drain`. */
  let isDrained: () => boolean = never

  const hasCapacity = ({ job: { concurrency = 1 }, workers }: Lane) => workers < concurrency

  const run = async (job: Job, claimed: ClaimedJob, signal: AbortSignal) => {
    const stopRenewal = renewLease(store, now, claimed)
    // The lease of an abandoned job has to expire.
    signal.addEventListener('abort', stopRenewal, { once: true })
    try {
      signal.throwIfAborted()
      const call = claimed.hookChain ? { hookChain: claimed.hookChain } : {}
      const context = { ...createContext(call), signal, isLastAttempt: claimed.attempts >= maxAttempts }
      await job.run(context, claimed.payload as never)
      await finish(store, now(), claimed, job)
    } catch (error) {
      await (signal.aborted ? returnToQueue(store, claimed) : fail(store, now(), claimed, job, error))
    } finally {
      signal.removeEventListener('abort', stopRenewal)
      stopRenewal()
    }
  }

  const runDueJobs = async (lane: Lane, signal: AbortSignal) => {
    const endOfSlice = createTimeSlice()
    while (!signal.aborted && !isDrained()) {
      const claimed = await claim(store, now(), lane.job)
      if (!claimed) return
      if (hasCapacity(lane)) startWorker(lane, signal)
      await run(lane.job, claimed, signal)
      completed += 1
      await endOfSlice()
    }
  }

  const startWorker = (lane: Lane, signal: AbortSignal) => {
    if (signal.aborted) return
    lane.workers += 1
    const worker = runDueJobs(lane, signal).finally(() => {
      lane.workers -= 1
      running.delete(worker)
    })
    running.add(worker)
    worker.catch((error: unknown) => {
      for (const listener of errorListeners) listener(error)
    })
  }

  const startDueLanes = async () => {
    // A job must not have external effects that cannot be recorded.
    if (store.getWriteError?.()) return
    const { signal } = controller
    await correctFutureTimes(store, now())
    await enqueueRecurring(store, now(), recurring)
    const free = lanes.filter(hasCapacity)
    const due = await findDueKinds(
      store,
      now(),
      free.map(({ job }) => job),
    )
    for (const lane of free) if (due.has(lane.job.kind) && hasCapacity(lane)) startWorker(lane, signal)
  }

  const stop = async () => {
    controller.abort(createShutdownError())
    controller = new AbortController()
    const timeout = new AbortController()
    await Promise.race([
      Promise.allSettled(running),
      pause(stopTimeout, undefined, { signal: timeout.signal }).catch(() => undefined),
    ])
    timeout.abort()
  }

  return {
    async drain(isDone = never) {
      const before = completed
      isDrained = isDone
      try {
        for (;;) {
          const previous = completed
          if (!isDone()) await startDueLanes()
          if (!running.size) return completed - before
          await Promise.race(running)
          // Without progress, another process is claiming the due jobs.
          if (!running.size && completed === previous) return completed - before
        }
      } finally {
        isDrained = never
      }
    },
    start(interval, onError, onRecovery) {
      let hasFailed = false
      const reportError = (error: unknown) => {
        hasFailed = true
        onError(error)
      }
      errorListeners.add(reportError)
      let isStarting = false
      let isFirst = true
      const startOnce = async () => {
        if (isStarting) return
        isStarting = true
        try {
          if (isFirst) await endAbandonedLeases(store, now())
          isFirst = false
          await startDueLanes()
          if (hasFailed) onRecovery?.()
          hasFailed = false
        } catch (error) {
          reportError(error)
        }
        isStarting = false
      }
      const timer = setInterval(() => void startOnce(), interval)
      timers.add(timer)
      return async () => {
        clearInterval(timer)
        timers.delete(timer)
        await stop()
        errorListeners.delete(reportError)
      }
    },
    stop,
    close() {
      for (const timer of timers) clearInterval(timer)
      timers.clear()
      return stop()
    },
  }
}
