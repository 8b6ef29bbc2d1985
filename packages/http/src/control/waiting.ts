import { type Exchange, type ExchangeFilter, exchangeTest } from './exchange.ts'
import type { Journal } from './journal.ts'

/** How long to wait, and for how many. */
export interface WaitOptions {
  /** Milliseconds. Default 1,000. */
  readonly timeout?: number
  /** How many of them; the last one is what the wait gives. Default 1. */
  readonly count?: number
  /** Ends the wait, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

/** What was waited for did not come. Its message shows what came instead. */
export class NothingCame extends Error {
  override readonly name = 'NothingCame'
}

const shownAtMost = 20

const lengthOfQuery = 120

/** One exchange as one line. */
const line = ({ method, path, query, status, fault }: Exchange): string => {
  const asked =
    query === '' ? path : `${path}?${query.length > lengthOfQuery ? `${query.slice(0, lengthOfQuery)}…` : query}`
  return `${method} ${asked} → ${status ?? 'connection cut'}${fault === null ? '' : ` (fault ${fault})`}`
}

/** What a filter asks for, as a reader says it. */
export const wanted = (filter: ExchangeFilter | string): string => {
  const { on, method, path, operation, ...rest } = typeof filter === 'string' ? { on: filter } : filter
  const address = [on, method, path, operation].filter((part) => part !== undefined).join(' ') || 'any request'
  const details = Object.entries(rest).filter(([, value]) => value !== undefined)
  return details.length
    ? `${address} with ${details.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(', ')}`
    : address
}

/** Whether an exchange went where the filter looks, whatever else about it differs. */
const sameAddress = (filter: ExchangeFilter | string) => {
  if (typeof filter === 'string') return () => false
  const { status: _, with: parameters, fault: __, ...address } = filter
  return exchangeTest(address)
}

/** What there is instead of what was looked for: those that went to the same address are marked. */
export const instead = (journal: Journal, filter: ExchangeFilter | string): string => {
  const { all } = journal
  if (all.length === 0) return 'No request came at all.'
  const near = sameAddress(filter)
  const lines = all.slice(-shownAtMost).map((exchange) => `${near(exchange) ? '~' : ' '} ${line(exchange)}`)
  const which = all.length > lines.length ? `the last ${lines.length} of ${all.length}` : `${all.length}`
  const marked = lines.some((text) => text.startsWith('~')) ? ' (~ went there, but differs)' : ''
  return [`Requests that came: ${which}${marked}`, ...lines].join('\n')
}

/**
 * Waits until so many requests that fit are answered, those already in the journal included.
 *
 * @throws NothingCame after `timeout`, with a list of what came instead
 */
export const waitFor = (
  journal: Journal,
  filter: ExchangeFilter | string,
  { timeout = 1_000, count = 1, signal }: WaitOptions = {},
): Promise<Exchange> => {
  const fits = exchangeTest(filter)
  const there = journal.find(filter)
  const enough = there[count - 1]
  if (enough) return Promise.resolve(enough)
  return new Promise((resolve, reject) => {
    let found = there.length
    const end = () => {
      clearTimeout(timer)
      stop()
      signal?.removeEventListener('abort', onAbort)
    }
    const onAbort = () => {
      end()
      reject(signal?.reason)
    }
    const stop = journal.listen((exchange) => {
      if (!fits(exchange)) return
      found += 1
      if (found < count) return
      end()
      resolve(exchange)
    })
    const timer = setTimeout(() => {
      end()
      const what = count === 1 ? wanted(filter) : `${wanted(filter)}, ${count} times (came ${found})`
      reject(new NothingCame(`Nothing came within ${timeout} ms: ${what}\n${instead(journal, filter)}`))
    }, timeout)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
  })
}
