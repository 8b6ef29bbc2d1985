import { createThreadPool, findWorkerFile, type WorkerThread } from '../worker-threads.ts'
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

/** A pool of worker threads that render Markdown. */
export const createRenderWorkers = ({ workers, milliseconds, maxOutput }: WorkerSettings): RenderWorkers => {
  const pool = createThreadPool<Request, Answer>({
    findFile: () => findWorkerFile(import.meta.url, './worker.ts', './forgelet-markdown-worker.js'),
    name: 'forgelet-markdown',
    workers,
    maxWaiting,
    work: 'long texts',
    createLimitError: () => new RenderLimitError(),
  })

  const readRemotely = async (thread: WorkerThread<Request, Answer>, request: Request): Promise<RemoteDocument> => {
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
    areAvailable: pool.areAvailable,
    read: (text, flavour, options, work) =>
      pool.use(async (thread) =>
        work(await readRemotely(thread, { kind: 'read', text, flavour, options, milliseconds, maxOutput })),
      ),
    close: pool.close,
  }
}
