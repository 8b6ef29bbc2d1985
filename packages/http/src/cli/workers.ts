import cluster, { type Worker } from 'node:cluster'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Family, merged } from '../metrics/exposition.ts'
import { Failure } from './failure.ts'
import type { Log } from './log.ts'

/** What a worker is told when it is started, in one variable of its environment. */
export interface Assignment {
  readonly number: number
  readonly port: number
}

const variable = 'FORGELET_WORKER'

type Message =
  | { readonly kind: 'stop' }
  /** A worker wants the figures of all. */
  | { readonly kind: 'gather'; readonly id: number }
  | { readonly kind: 'gathered'; readonly id: number; readonly families: readonly Family[] }
  /** A worker is asked for its own. */
  | { readonly kind: 'count'; readonly id: number }
  | { readonly kind: 'counted'; readonly id: number; readonly families: readonly Family[] }

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && typeof (value as { kind?: unknown }).kind === 'string'

/** What this process is to do, when another one has started it as a worker. */
export const assignment = (): Assignment | undefined =>
  cluster.isWorker ? (JSON.parse(process.env[variable] ?? 'null') as Assignment) : undefined

/** A port that is free now, so that every worker, also one that comes later, listens on the same. */
export const freePort = (port: number, host: string): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address() as AddressInfo
      server.close(() => resolve(address))
    })
  })

/** A worker that lived this long was no failure of the start; in milliseconds. */
const settled = 30_000
const longestBackoff = 10_000
const figurePatience = 2_000

export interface Workforce {
  /** Resolves when every worker listens. */
  readonly ready: Promise<void>
  /** Tells every worker to finish, and waits until all have; those that do not are ended. */
  stop(): Promise<void>
}

interface Place {
  worker: Worker
  startedAt: number
  failures: number
  listening: boolean
  /** What it counted when it was asked last: kept when it dies, so that sums never go down. */
  figures: readonly Family[]
}

const countersOnly = (families: readonly Family[]) => families.filter(({ type }) => type !== 'gauge')

/**
 * Starts workers and replaces those that die, each time after a longer pause while they keep dying.
 *
 * @param grace how long a worker may take to finish, in milliseconds
 */
export function employ(count: number, port: number, log: Log, grace: number): Workforce {
  const places = new Map<number, Place>()
  let retired: readonly Family[] = []
  let restarts = 0
  let stopping = false
  let listening = 0
  let asked = 0
  const answers = new Map<number, (from: number, families: readonly Family[]) => void>()
  let started: () => void = () => undefined
  let failed: (error: Error) => void = () => undefined
  const ready = new Promise<void>((resolve, reject) => {
    started = resolve
    failed = reject
  })

  // Workers accept by themselves: a connection that this process handed to one that dies would hang until its client gives up.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: process.argv[1] as string, args: process.argv.slice(2) })

  const gather = async (): Promise<readonly Family[]> => {
    const id = ++asked
    // One that is still starting has nothing to tell.
    const waiting = new Set([...places].filter(([, place]) => place.listening).map(([number]) => number))
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, figurePatience)
      answers.set(id, (from, families) => {
        const place = places.get(from)
        if (place) place.figures = families
        waiting.delete(from)
        if (waiting.size) return
        clearTimeout(late)
        resolve()
      })
      for (const { worker } of places.values()) tell(worker, { kind: 'count', id })
    })
    answers.delete(id)
    const all = new Map([...places].map(([number, { figures }]) => [String(number), figures]))
    const own: Family[] = [
      {
        name: 'forgelet_workers',
        help: 'Processes that serve.',
        type: 'gauge',
        samples: [{ labels: {}, value: places.size }],
      },
      {
        name: 'forgelet_worker_restarts_total',
        help: 'How often a worker that died was replaced.',
        type: 'counter',
        samples: [{ labels: {}, value: restarts }],
      },
    ]
    return [...merged(new Map([...all, ['retired', retired]])), ...own]
  }

  const hear = (number: number, worker: Worker, message: unknown) => {
    if (!isMessage(message)) return
    if (message.kind === 'counted') answers.get(message.id)?.(number, message.families)
    if (message.kind !== 'gather') return
    const { id } = message
    gather().then(
      (families) => tell(worker, { kind: 'gathered', id, families }),
      (error: unknown) => log.error({ error: String(error) }, 'figures'),
    )
  }

  const hire = (number: number, failures: number) => {
    const worker = cluster.fork({ [variable]: JSON.stringify({ number, port } satisfies Assignment) })
    const place: Place = { worker, startedAt: performance.now(), failures, listening: false, figures: [] }
    places.set(number, place)
    worker.on('message', (message) => hear(number, worker, message))
    worker.on('error', (error) => log.error({ error: String(error), worker: number }, 'a worker does not answer'))
    worker.on('listening', () => {
      place.listening = true
      listening += 1
      if (listening === count) started()
    })
    worker.on('exit', (code, signal) => {
      places.delete(number)
      retired = countersOnly(
        merged(
          new Map([
            ['retired', retired],
            [String(number), place.figures],
          ]),
        ),
      )
      if (stopping) return
      // What keeps the first ones from starting keeps the next ones too, and stands on stderr already.
      if (!place.listening && listening < count) return failed(new Failure('A worker did not start'))
      const lived = performance.now() - place.startedAt
      const repeated = lived > settled ? 0 : place.failures + 1
      const wait = Math.min(100 * 2 ** repeated, longestBackoff)
      log.error({ worker: number, pid: worker.process.pid, code, signal, restartIn: wait }, 'a worker died')
      void replace(number, repeated, wait)
    })
  }

  const replace = async (number: number, failures: number, wait: number) => {
    await pause(wait)
    if (stopping) return
    restarts += 1
    hire(number, failures)
  }

  for (let number = 1; number <= count; number++) hire(number, 0)

  return {
    ready,
    async stop() {
      stopping = true
      const left = [...places.values()].map(({ worker }) => worker)
      const gone = left.map((worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())))
      for (const worker of left) tell(worker, { kind: 'stop' })
      const late = setTimeout(() => {
        for (const worker of left) worker.process.kill('SIGKILL')
      }, grace)
      await Promise.all(gone)
      clearTimeout(late)
    },
  }
}

const tell = (worker: Worker, message: Message) => {
  // One that dies at this moment is not told; its place is filled anyway.
  if (worker.isConnected()) worker.send(message, () => undefined)
}

const say = (message: Message) => process.send?.(message)

/** In a worker: resolves when it is told to stop. */
export const toldToStop = (): Promise<'stop'> =>
  new Promise((resolve) => {
    process.on('message', (message: unknown) => {
      if (isMessage(message) && message.kind === 'stop') resolve('stop')
    })
  })

/** In a worker: the figures of all workers together. */
export const gatherFromAll = (() => {
  let asked = 0
  return (): Promise<readonly Family[]> => {
    const id = ++asked
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        process.off('message', hear)
        reject(new Error('The other workers do not answer'))
      }, figurePatience * 2)
      const hear = (message: unknown) => {
        if (!isMessage(message) || message.kind !== 'gathered' || message.id !== id) return
        clearTimeout(late)
        process.off('message', hear)
        resolve(message.families)
      }
      process.on('message', hear)
      say({ kind: 'gather', id })
    })
  }
})()

/** In a worker: answers when the figures of this one are wanted. */
export const answerFigures = (own: () => Promise<readonly Family[]>): void => {
  process.on('message', (message: unknown) => {
    if (!isMessage(message) || message.kind !== 'count') return
    void own().then((families) => say({ kind: 'counted', id: message.id, families }))
  })
}
