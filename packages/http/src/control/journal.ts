import type { Exchange } from './exchange.ts'
import type { ExchangeFilter } from './exchange-filter.ts'

/** Options of a wait for requests. */
export interface WaitOptions {
  /** Milliseconds. Default 1,000. */
  readonly timeout?: number
  /** Number of matching requests; the last one is returned. Default 1. */
  readonly count?: number
  /** Cancels the wait, which rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Limits of a journal. */
export interface JournalOptions {
  /** Number of exchanges; the oldest ones are dropped. Default 1,000. */
  readonly exchanges?: number
  /** Characters of each body. Default 16,384. */
  readonly bodySize?: number
  /** Characters of all exchanges together. Default 8,388,608. */
  readonly totalSize?: number
}

export type ExchangeListener = (exchange: Exchange) => void

/** The received requests, the newest last. */
export interface Journal {
  /** All stored exchanges. */
  readonly all: readonly Exchange[]
  /** The newest exchange. */
  readonly last: Exchange | undefined
  /** Number of recorded exchanges, including dropped and cleared ones. */
  readonly written: number
  /** @throws PlatformError `invalid_input` for an invalid filter */
  find(filter?: ExchangeFilter | string): readonly Exchange[]
  /**
   * Waits for a matching request, including those already in the journal.
   *
   * @throws WaitTimeoutError after the timeout, with a list of the received requests
   */
  waitFor(filter: ExchangeFilter | string, options?: WaitOptions): Promise<Exchange>
  /** Calls the listener for each future exchange. Returns the function that unsubscribes it. */
  listen(listener: ExchangeListener): () => void
  /** Removes all exchanges; listeners stay subscribed. */
  clear(): void
}

export interface WritableJournal extends Journal {
  readonly bodySize: number
  write(exchange: Omit<Exchange, 'id'>): void
}
