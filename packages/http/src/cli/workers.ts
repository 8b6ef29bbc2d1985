import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { MetricsSnapshot } from '../metrics/measurements.ts'
import { CliError } from './cli-error.ts'
import type { DataFileIdentity } from './data-paths.ts'
import type { Log } from './log.ts'

/** What a worker receives from the supervising process, as JSON in an environment variable. */
export interface Assignment {
  readonly number: number
  readonly port: number
  /** The data file that the supervising process has opened; undefined for PostgreSQL. */
  readonly dataFile: DataFileIdentity | undefined
}

const assignmentVariable = 'FORGELET_WORKER'

type Message =
  | { readonly kind: 'stop' }
  /** From a worker: it has ended listening. */
  | { readonly kind: 'listeningEnded' }
  /** To a worker: no process accepts connections any more, or only other workers do. */
  | { readonly kind: 'socketClosed' }
  /** From a worker: requests the metrics of all workers, as text. */
  | { readonly kind: 'gather'; readonly id: number }
  | { readonly kind: 'gathered'; readonly id: number; readonly text: string }
  /** To a worker: requests its own metrics. */
  | { readonly kind: 'snapshot'; readonly id: number }
  | { readonly kind: 'snapshotTaken'; readonly id: number; readonly snapshot: MetricsSnapshot }

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && typeof (value as { kind?: unknown }).kind === 'string'

/** The assignment of this process; undefined if it is not a worker. */
export const assignment = (): Assignment | undefined =>
  cluster.isWorker ? (JSON.parse(process.env[assignmentVariable] ?? 'null') as Assignment) : undefined

/** After this uptime an exit does not count as a failed start; in milliseconds. */
const stableUptime = 30_000
const maxBackoff = 10_000
const metricsTimeout = 2_000

export interface WorkerPool {
  /** Resolves when every worker listens. */
  readonly ready: Promise<void>
  /** Stops every worker and waits until all have exited; kills those that exceed the grace period. */
  stop(): Promise<void>
}

interface Slot {
  worker: Worker
  startedAt: number
  failures: number
  listening: boolean
  /** Whether the worker has ended listening during the shutdown. */
  listeningEnded: boolean
  /** The latest snapshot. Its totals are kept when the worker exits, because counters must never decrease. */
  snapshot: MetricsSnapshot | undefined
}

/**
 * Starts workers and replaces those that exit, with exponential backoff.
 *
 * @param gracePeriod milliseconds in which a worker must stop
 */
export function startWorkers(
  count: number,
  shared: Omit<Assignment, 'number'>,
  log: Log,
  gracePeriod: number,
): WorkerPool {
  const slots = new Map<number, Slot>()
  let exitedTotals: Promise<readonly object[]> = Promise.resolve([])
  let restarts = 0
  let stopping = false
  let listening = 0
  let lastRequest = 0
  const pendingRequests = new Map<number, (from: number, snapshot: MetricsSnapshot) => void>()
  const { promise: ready, resolve: started, reject: failed } = Promise.withResolvers<void>()

  // With the default policy, connections that the primary has passed to a worker hang when that worker crashes.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: process.argv[1] as string, args: process.argv.slice(2) })

  const gatherMetrics = async (): Promise<string> => {
    const id = ++lastRequest
    const waiting = new Set([...slots].filter(([, slot]) => slot.listening).map(([number]) => number))
    await new Promise<void>((resolve) => {
      const timeout = setTimeout(resolve, metricsTimeout)
      pendingRequests.set(id, (from, snapshot) => {
        const slot = slots.get(from)
        if (slot) slot.snapshot = snapshot
        waiting.delete(from)
        if (waiting.size) return
        clearTimeout(timeout)
        resolve()
      })
      for (const { worker } of slots.values()) send(worker, { kind: 'snapshot', id })
    })
    pendingRequests.delete(id)
    const { aggregatedText } = await import('../metrics/aggregate.ts')
    const exited = exitedTotals
    const snapshots = [...slots.values()].flatMap(({ snapshot }) => snapshot ?? [])
    return aggregatedText(snapshots, await exited, { workers: slots.size, restarts })
  }

  // This process closes its copy of the shared socket when the last worker has ended listening.
  const announceClosedSocket = () => {
    const remaining = [...slots.values()]
    if (!remaining.every(({ listeningEnded }) => listeningEnded)) return
    for (const { worker } of remaining) send(worker, { kind: 'socketClosed' })
  }

  const receive = (number: number, worker: Worker, message: unknown) => {
    if (!isMessage(message)) return
    if (message.kind === 'listeningEnded') {
      const slot = slots.get(number)
      if (slot) slot.listeningEnded = true
      if (stopping) announceClosedSocket()
      else send(worker, { kind: 'socketClosed' })
    }
    if (message.kind === 'snapshotTaken') pendingRequests.get(message.id)?.(number, message.snapshot)
    if (message.kind !== 'gather') return
    const { id } = message
    gatherMetrics().then(
      (text) => send(worker, { kind: 'gathered', id, text }),
      (error: unknown) => log.error({ error: String(error) }, 'metrics'),
    )
  }

  const keepTotals = ({ snapshot }: Slot) => {
    if (!snapshot) return
    const before = exitedTotals
    exitedTotals = import('../metrics/aggregate.ts').then(async ({ sumTotals }) =>
      sumTotals(await before, snapshot.totals),
    )
  }

  const spawnWorker = (number: number, failures: number) => {
    const worker = cluster.fork({ [assignmentVariable]: JSON.stringify({ number, ...shared } satisfies Assignment) })
    const slot: Slot = {
      worker,
      startedAt: performance.now(),
      failures,
      listening: false,
      listeningEnded: false,
      snapshot: undefined,
    }
    slots.set(number, slot)
    worker.on('message', (message) => receive(number, worker, message))
    worker.on('error', (error) => log.error({ error: String(error), worker: number }, 'worker unreachable'))
    worker.on('listening', () => {
      slot.listening = true
      listening += 1
      if (listening === count) started()
    })
    worker.on('exit', (code, signal) => {
      slots.delete(number)
      keepTotals(slot)
      if (stopping) return announceClosedSocket()
      // The cause, which the worker has written to stderr, would prevent replacements from starting as well.
      if (!slot.listening && listening < count) return failed(new CliError(`Worker ${number} did not start`))
      const uptime = performance.now() - slot.startedAt
      const repeated = uptime > stableUptime ? 0 : slot.failures + 1
      const backoff = Math.min(100 * 2 ** repeated, maxBackoff)
      log.error({ worker: number, pid: worker.process.pid, code, signal, restartIn: backoff }, 'worker exited')
      void replaceWorker(number, repeated, backoff)
    })
  }

  const replaceWorker = async (number: number, failures: number, backoff: number) => {
    await pause(backoff)
    if (stopping) return
    restarts += 1
    spawnWorker(number, failures)
  }

  for (let number = 1; number <= count; number++) spawnWorker(number, 0)

  return {
    ready,
    async stop() {
      stopping = true
      const workers = [...slots.values()].map(({ worker }) => worker)
      const exits = workers.map((worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())))
      for (const worker of workers) send(worker, { kind: 'stop' })
      const timeout = setTimeout(() => {
        for (const worker of workers) worker.process.kill('SIGKILL')
      }, gracePeriod)
      await Promise.all(exits)
      clearTimeout(timeout)
    },
  }
}

const send = (worker: Worker, message: Message) => {
  // The callback ignores the error of a worker that exits at this moment; its slot is filled by the exit listener.
  if (worker.isConnected()) worker.send(message, () => undefined)
}

/** The callback ignores the error of a closed channel: without its primary, the worker exits. */
const sendToPrimary = (message: Message) => process.send?.(message, undefined, undefined, () => undefined)

/** In a worker: resolves when the supervising process requests a stop. */
export const waitForStop = (): Promise<{ readonly reason: 'stop' }> =>
  new Promise((resolve) => {
    process.on('message', (message: unknown) => {
      if (isMessage(message) && message.kind === 'stop') resolve({ reason: 'stop' })
    })
  })

/** Milliseconds that a worker waits for the other ones to end listening. */
const socketTimeout = 2_000

/** In a worker that has ended listening: resolves when no process accepts connections any more, or only other workers do. */
export const waitForClosedSocket = (): Promise<void> =>
  new Promise((resolve) => {
    const timeout = setTimeout(resolve, socketTimeout)
    process.on('message', (message: unknown) => {
      if (!isMessage(message) || message.kind !== 'socketClosed') return
      clearTimeout(timeout)
      resolve()
    })
    sendToPrimary({ kind: 'listeningEnded' })
  })

let lastGather = 0

/** In a worker: the metrics of all workers, in the Prometheus text format. */
export const gatherFromAll = (): Promise<string> => {
  const id = ++lastGather
  return new Promise((resolve, reject) => {
    const receive = (message: unknown) => {
      if (!isMessage(message) || message.kind !== 'gathered' || message.id !== id) return
      clearTimeout(timeout)
      process.off('message', receive)
      resolve(message.text)
    }
    const timeout = setTimeout(() => {
      process.off('message', receive)
      reject(new Error('The supervising process did not return the metrics of the workers in time'))
    }, metricsTimeout * 2)
    process.on('message', receive)
    sendToPrimary({ kind: 'gather', id })
  })
}

/** In a worker: returns its own metrics to the supervising process on request. */
export const provideSnapshots = (takeSnapshot: () => Promise<MetricsSnapshot>): void => {
  process.on('message', (message: unknown) => {
    if (!isMessage(message) || message.kind !== 'snapshot') return
    void takeSnapshot().then((snapshot) => sendToPrimary({ kind: 'snapshotTaken', id: message.id, snapshot }))
  })
}
