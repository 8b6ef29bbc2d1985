import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { PlatformError } from '../../kernel/errors.ts'
import { createSlotPool } from '../slot-pool.ts'
import { RenderLimitError } from './budget.ts'
import type { Flavour, ReadOptions } from './document.ts'
import type { Reference, Resolve, Resolved } from './reference.ts'

/** A message to a worker thread. */
export type Request =
  | {
      readonly kind: 'read'
      readonly text: string
      readonly flavour: Flavour
      readonly options: ReadOptions
      readonly milliseconds: number
      readonly maxOutput: number
    }
  /** One entry for each reference, in their order. */
  | { readonly kind: 'resolve'; readonly resolved: readonly (Resolved | undefined)[] }

/** A message of a worker thread: `ready` once, then one for each request. */
export type Answer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'references'; readonly references: readonly Reference[] }
  | { readonly kind: 'html'; readonly html: string }
  /** The text exceeds its budget. */
  | { readonly kind: 'limit' }

/** A text that a worker thread has parsed. */
export interface RemoteDocument {
  readonly references: readonly Reference[]
  html(resolve?: Resolve): Promise<string>
}

interface RenderWorkers {
  /** False if threads cannot be started: the worker file is missing, as in a bundle of a host, or there are 0 workers. */
  areAvailable(): Promise<boolean>
  /**
   * Parses a text in a worker thread, which `work` has to itself.
   *
   * @throws RenderLimitError when the text exceeds its time, its output or the memory of a thread
   */
  read<T>(
    text: string,
    flavour: Flavour,
    options: ReadOptions,
    work: (document: RemoteDocument) => Promise<T>,
  ): Promise<T>
  /** Running calls fail as `unavailable`. */
  close(): Promise<void>
}

interface WorkerSettings {
  readonly workers: number
  /** Milliseconds for one text. */
  readonly milliseconds: number
  /** Characters of HTML of one text. */
  readonly maxOutput: number
}

/** Texts that wait for a thread; a further text fails as `limited`. */
const maxWaiting = 16
/**
 * Milliseconds after the time budget until a thread is terminated that does not check its budget, or that gets no CPU time. The
 * budget is CPU time, this is elapsed time.
 */
const grace = 2_000
/** Milliseconds to start a thread. */
const startTimeout = 15_000
/** An unused thread is terminated after these milliseconds. */
const idleTimeout = 60_000
const memoryMebibytes = 256

/** Beside this file in the sources, beside the bundled code in the built package. */
const workerFile = (): URL | undefined => {
  const name = import.meta.url.endsWith('.ts') ? './worker.ts' : './forgelet-markdown-worker.js'
  if (!URL.canParse(name, import.meta.url)) return undefined
  const url = new URL(name, import.meta.url)
  return url.protocol === 'file:' && existsSync(fileURLToPath(url)) ? url : undefined
}

const closedError = () => new PlatformError('unavailable', 'The platform is closed', { reason: 'closed' })

interface RenderThread {
  /** The next answer of the thread. Without one in time, the thread is terminated. */
  receive(milliseconds: number): Promise<Answer>
  send(request: Request): void
  isAlive(): boolean
  /** Whether the thread keeps the process alive. */
  setReferenced(isReferenced: boolean): void
  terminate(): Promise<unknown>
}

const isOutOfMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

const startThread = (file: URL): RenderThread => {
  const worker = new Worker(file, {
    name: 'forgelet-markdown',
    // Options of the host process such as --inspect or loaders are not for this thread.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMebibytes },
  })
  let alive = true
  let settle: { resolve(answer: Answer): void; reject(error: unknown): void } | undefined
  const end = (error: unknown) => {
    alive = false
    settle?.reject(error)
  }
  worker.on('message', (answer: Answer) => settle?.resolve(answer))
  worker.on('error', (error) => end(isOutOfMemory(error) ? new RenderLimitError() : error))
  worker.on('exit', () => end(closedError()))
  return {
    async receive(milliseconds) {
      if (!alive) throw closedError()
      let timer: NodeJS.Timeout | undefined
      try {
        return await new Promise<Answer>((resolve, reject) => {
          settle = { resolve, reject }
          timer = setTimeout(() => {
            end(new RenderLimitError())
            void worker.terminate()
          }, milliseconds)
        })
      } finally {
        settle = undefined
        clearTimeout(timer)
      }
    },
    send: (request) => worker.postMessage(request),
    isAlive: () => alive,
    setReferenced: (isReferenced) => (isReferenced ? worker.ref() : worker.unref()),
    terminate: () => worker.terminate(),
  }
}

interface IdleThread {
  readonly thread: RenderThread
  readonly timer: NodeJS.Timeout
}

/** A pool of worker threads, each started when it is first needed. An idle thread does not keep the process alive. */
export const createRenderWorkers = ({ workers, milliseconds, maxOutput }: WorkerSettings): RenderWorkers => {
  const slots = createSlotPool(workers, maxWaiting, 'long texts')
  const threads = new Set<RenderThread>()
  let idle: IdleThread[] = []
  let closed = false
  let file: URL | undefined
  let available: Promise<boolean> | undefined

  const start = async (url: URL): Promise<RenderThread> => {
    const thread = startThread(url)
    threads.add(thread)
    await thread.receive(startTimeout)
    return thread
  }

  const retire = (thread: RenderThread) => {
    threads.delete(thread)
    return thread.terminate()
  }

  const makeIdle = (thread: RenderThread) => {
    thread.setReferenced(false)
    const entry: IdleThread = {
      thread,
      timer: setTimeout(() => {
        idle = idle.filter((other) => other !== entry)
        void retire(thread)
      }, idleTimeout).unref(),
    }
    idle.push(entry)
  }

  const takeIdle = (): RenderThread | undefined => {
    const entry = idle.pop()
    clearTimeout(entry?.timer)
    entry?.thread.setReferenced(true)
    return entry?.thread.isAlive() ? entry.thread : undefined
  }

  /** Starts the first thread: the only way to find out whether threads can be started here. */
  const startFirst = async (): Promise<boolean> => {
    file = workers > 0 ? workerFile() : undefined
    if (file === undefined) return false
    try {
      makeIdle(await start(file))
      return true
    } catch {
      return false
    }
  }

  const readRemotely = async (thread: RenderThread, request: Request): Promise<RemoteDocument> => {
    let remaining = milliseconds + grace
    const ask = async (message: Request): Promise<Answer> => {
      const started = performance.now()
      thread.send(message)
      const answer = await thread.receive(remaining)
      remaining -= performance.now() - started
      if (answer.kind === 'limit') throw new RenderLimitError()
      return answer
    }
    const toHtml = (answer: Answer) => (answer.kind === 'html' ? answer.html : '')
    const first = await ask(request)
    if (first.kind !== 'references') return { references: [], html: async () => toHtml(first) }
    const { references } = first
    return {
      references,
      html: async (resolve) =>
        toHtml(await ask({ kind: 'resolve', resolved: references.map((reference) => resolve?.(reference)) })),
    }
  }

  return {
    areAvailable() {
      if (closed) throw closedError()
      available ??= startFirst()
      return available
    },
    async read(text, flavour, options, work) {
      const release = await slots.acquire()
      let thread: RenderThread | undefined
      try {
        if (closed) throw closedError()
        thread = takeIdle() ?? (await start(file as URL))
        return await work(await readRemotely(thread, { kind: 'read', text, flavour, options, milliseconds, maxOutput }))
      } finally {
        if (thread?.isAlive()) makeIdle(thread)
        else if (thread) void retire(thread)
        release()
      }
    },
    async close() {
      closed = true
      for (const { timer } of idle) clearTimeout(timer)
      idle = []
      await Promise.all([...threads].map(retire))
    },
  }
}
