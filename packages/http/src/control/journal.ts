import { type Exchange, type ExchangeFilter, exchangeTest } from './exchange.ts'
import { type WaitOptions, waitFor } from './waiting.ts'

/** How much a journal keeps. */
export interface JournalOptions {
  /** How many exchanges are kept; older ones are dropped. Default 1,000. */
  readonly exchanges?: number
  /** How much of each body is kept, in characters. Default 16,384. */
  readonly bodySize?: number
  /** How much is kept of all of them together, in characters. Default 8,388,608. */
  readonly totalSize?: number
}

export type ExchangeListener = (exchange: Exchange) => void

/** What was requested, the newest last. */
export interface Journal {
  /** What is kept. */
  readonly all: readonly Exchange[]
  /** The newest one; undefined when there is none. */
  readonly last: Exchange | undefined
  /** How many were ever written, those that were dropped or cleared included. */
  readonly written: number
  /**
   * @throws PlatformError `invalid_input` when the filter cannot be read
   */
  find(filter?: ExchangeFilter | string): readonly Exchange[]
  /**
   * Waits until a request that fits is answered, one that is in the journal already included.
   *
   * @throws NothingCame after the timeout, with a list of what came instead
   */
  waitFor(filter: ExchangeFilter | string, options?: WaitOptions): Promise<Exchange>
  /** Calls back for each exchange from now on. Returns the call that ends it. */
  listen(listener: ExchangeListener): () => void
  /** Forgets all of it; those that listen go on listening. */
  clear(): void
}

export interface WritableJournal extends Journal {
  readonly bodySize: number
  write(exchange: Omit<Exchange, 'id'>): void
}

const sizeOf = ({ request, response, path, query }: Exchange) =>
  request.body.length + response.body.length + path.length + query.length

export function openJournal(options: JournalOptions = {}): WritableJournal {
  const { exchanges: most = 1_000, bodySize = 16_384, totalSize = 8 * 1024 * 1024 } = options
  const kept: Exchange[] = []
  const listeners = new Set<ExchangeListener>()
  let written = 0
  let size = 0

  const drop = () => {
    const oldest = kept.shift()
    if (oldest) size -= sizeOf(oldest)
  }

  const journal: WritableJournal = {
    bodySize,
    get all() {
      return [...kept]
    },
    get last() {
      return kept.at(-1)
    },
    get written() {
      return written
    },
    find: (filter) => kept.filter(exchangeTest(filter)),
    waitFor: (filter, waiting) => waitFor(journal, filter, waiting),
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    clear() {
      kept.length = 0
      size = 0
    },
    write(given) {
      written += 1
      const exchange = { id: written, ...given }
      kept.push(exchange)
      size += sizeOf(exchange)
      while (kept.length > most || (size > totalSize && kept.length > 1)) drop()
      for (const listener of [...listeners]) listener(exchange)
    },
  }
  return journal
}
