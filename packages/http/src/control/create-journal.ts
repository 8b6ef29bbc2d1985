import { assertOptions, optionNames } from '@forgelet/core/operations'
import type { Exchange } from './exchange.ts'
import { createExchangeMatcher } from './exchange-filter.ts'
import { assertInteger } from './invalid-value.ts'
import type { ExchangeListener, JournalOptions, WritableJournal } from './journal.ts'
import { waitFor } from './wait-for.ts'

const measureExchange = ({ request, response, path, query }: Exchange) =>
  request.body.length + response.body.length + path.length + query.length

const journalOptions = optionNames<JournalOptions>({ exchanges: true, bodySize: true, totalSize: true })

/** @throws TypeError for an unknown option, PlatformError `invalid_input` for an invalid limit */
export function createJournal(options: JournalOptions = {}): WritableJournal {
  assertOptions('journal', options, journalOptions)
  const { exchanges: maxExchanges = 1_000, bodySize = 16_384, totalSize = 8 * 1024 * 1024 } = options
  assertInteger('journal.exchanges', maxExchanges, 1)
  assertInteger('journal.bodySize', bodySize, 0)
  assertInteger('journal.totalSize', totalSize, 0)
  const stored: Exchange[] = []
  const listeners = new Set<ExchangeListener>()
  let written = 0
  let size = 0

  const dropOldest = () => {
    const oldest = stored.shift()
    if (oldest) size -= measureExchange(oldest)
  }

  const journal: WritableJournal = {
    bodySize,
    get all() {
      return [...stored]
    },
    get last() {
      return stored.at(-1)
    },
    get written() {
      return written
    },
    find: (filter) => stored.filter(createExchangeMatcher(filter)),
    waitFor: (filter, options) => waitFor(journal, filter, options),
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    clear() {
      stored.length = 0
      size = 0
    },
    write(entry) {
      written += 1
      const exchange = { id: written, ...entry }
      stored.push(exchange)
      size += measureExchange(exchange)
      while (stored.length > maxExchanges || (size > totalSize && stored.length > 1)) dropOldest()
      for (const listener of [...listeners]) listener(exchange)
    },
  }
  return journal
}
