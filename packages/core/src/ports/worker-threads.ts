import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { PlatformError } from '../kernel/errors.ts'
import { defined } from '../shared/defined.ts'
import { createSlotPool, type SlotRequest } from './slot-pool.ts'

/** A thread that answers one message at a time. */
export interface WorkerThread<Request, Answer> {
  /** The next answer of the thread. Without one within these milliseconds, the thread is terminated. */
  receive(milliseconds: number): Promise<Answer>
  send(request: Request): void
}

interface PooledThread<Request, Answer> extends WorkerThread<Request, Answer> {
  isAlive(): boolean
  /** Whether the thread keeps the process alive. */
  setReferenced(isReferenced: boolean): void
  terminate(): Promise<unknown>
}

export interface ThreadPool<Request, Answer> {
  /** False if threads cannot be started: the worker file is missing, as in a bundle of a host, or there are 0 workers. */
  areAvailable(): Promise<boolean>
  /** Calls `work` with a thread that it has to itself. Throws `limited` if too many calls wait. */
  use<T>(work: (thread: WorkerThread<Request, Answer>) => Promise<T>, request?: SlotRequest): Promise<T>
  /** Running calls fail as `unavailable`. */
  close(): Promise<void>
}

export interface ThreadPoolOptions {
  /** Finds the file of the thread; undefined if it is missing. The thread sends one message when it is ready. */
  readonly findFile: () => URL | undefined
  readonly name: string
  readonly workers: number
  /** Calls that wait for a thread; a further one fails as `limited`. */
  readonly maxWaiting: number
  /** Names what the threads work on, for the error message: `long texts`. */
  readonly work: string
  /** The error of work that exceeds the time or the memory of a thread. */
  readonly createLimitError: () => Error
}

/** Milliseconds to start a thread. */
const startTimeout = 15_000
/** An unused thread is terminated after these milliseconds. */
const idleTimeout = 60_000
const memoryMebibytes = 256

/** The URL of a file of this package: `source` beside the module at `moduleUrl`, or `built` beside the bundled code. */
export const findWorkerFile = (moduleUrl: string, source: string, built: string): URL | undefined => {
  const name = moduleUrl.endsWith('.ts') ? source : built
  if (!URL.canParse(name, moduleUrl)) return undefined
  const url = new URL(name, moduleUrl)
  return url.protocol === 'file:' && existsSync(fileURLToPath(url)) ? url : undefined
}

const closedError = () => new PlatformError('unavailable', 'The platform is closed', { reason: 'shutdown' })

const isOutOfMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

const startThread = <Request, Answer>(
  file: URL,
  { name, createLimitError }: ThreadPoolOptions,
): PooledThread<Request, Answer> => {
  const worker = new Worker(file, {
    name,
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
  worker.on('error', (error) => end(isOutOfMemory(error) ? createLimitError() : error))
  worker.on('exit', () => end(closedError()))
  return {
    async receive(milliseconds) {
      if (!alive) throw closedError()
      let timer: NodeJS.Timeout | undefined
      try {
        return await new Promise<Answer>((resolve, reject) => {
          settle = { resolve, reject }
          timer = setTimeout(() => {
            end(createLimitError())
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

interface IdleThread<Request, Answer> {
  readonly thread: PooledThread<Request, Answer>
  readonly timer: NodeJS.Timeout
}

/** A pool of worker threads, each started when it is first needed. An idle thread does not keep the process alive. */
export const createThreadPool = <Request, Answer>(options: ThreadPoolOptions): ThreadPool<Request, Answer> => {
  const { findFile, workers, maxWaiting, work: name } = options
  const slots = createSlotPool(workers, maxWaiting, name)
  const threads = new Set<PooledThread<Request, Answer>>()
  let idle: IdleThread<Request, Answer>[] = []
  let closed = false
  let file: URL | undefined
  let available: Promise<boolean> | undefined

  const start = async (url: URL): Promise<PooledThread<Request, Answer>> => {
    const thread = startThread<Request, Answer>(url, options)
    threads.add(thread)
    await thread.receive(startTimeout)
    return thread
  }

  const retire = (thread: PooledThread<Request, Answer>) => {
    threads.delete(thread)
    return thread.terminate()
  }

  const makeIdle = (thread: PooledThread<Request, Answer>) => {
    thread.setReferenced(false)
    const entry: IdleThread<Request, Answer> = {
      thread,
      timer: setTimeout(() => {
        idle = idle.filter((other) => other !== entry)
        void retire(thread)
      }, idleTimeout).unref(),
    }
    idle.push(entry)
  }

  const takeIdle = (): PooledThread<Request, Answer> | undefined => {
    const entry = idle.pop()
    clearTimeout(entry?.timer)
    entry?.thread.setReferenced(true)
    return entry?.thread.isAlive() ? entry.thread : undefined
  }

  /** Starts the first thread: the only way to find out whether threads can be started here. */
  const startFirst = async (): Promise<boolean> => {
    file = workers > 0 ? findFile() : undefined
    if (file === undefined) return false
    try {
      makeIdle(await start(file))
      return true
    } catch {
      return false
    }
  }

  return {
    areAvailable() {
      if (closed) throw closedError()
      available ??= startFirst()
      return available
    },
    async use(work, request) {
      const release = await slots.acquire(request)
      let thread: PooledThread<Request, Answer> | undefined
      try {
        if (closed) throw closedError()
        thread = takeIdle() ?? (await start(defined(file)))
        return await work(thread)
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
