import { assertOptions, optionNames } from '@forgelet/core/operations'
import type { Exchange } from './exchange.ts'
import { createExchangeMatcher, type ExchangeFilter } from './exchange-filter.ts'
import { assertInteger } from './invalid-value.ts'
import type { Journal, WaitOptions } from './journal.ts'

/** No matching request or event arrived in time. For requests, the message lists those that were received. */
export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError'
}

const waitOptions = optionNames<WaitOptions>({ timeout: true, count: true, signal: true })

const maxListedExchanges = 20

const maxQueryLength = 120

const formatExchange = ({ method, path, query, status, fault }: Exchange): string => {
  const shortQuery = query.length > maxQueryLength ? `${query.slice(0, maxQueryLength)}…` : query
  const target = query === '' ? path : `${path}?${shortQuery}`
  return `${method} ${target} → ${status ?? 'connection cut'}${fault === null ? '' : ` (fault ${fault})`}`
}

const formatCondition = ([name, value]: readonly [string, unknown]): string =>
  `${name === 'with' ? 'parameters' : name} ${JSON.stringify(value)}`

/** Formats a filter for messages. */
export const formatFilter = (filter: ExchangeFilter | string): string => {
  const { on, method, path, operation, ...conditions } = typeof filter === 'string' ? { on: filter } : filter
  const pattern = [on, method, path, operation].filter((part) => part !== undefined).join(' ') || 'any request'
  const details = Object.entries(conditions).filter(([, value]) => value !== undefined)
  return details.length ? `${pattern} with ${details.map(formatCondition).join(', ')}` : pattern
}

/** Matches exchanges by route only, without the other conditions of the filter. */
const createRouteMatcher = (filter: ExchangeFilter | string) => {
  if (typeof filter === 'string') return () => false
  const { status: _, with: __, fault: ___, ...pattern } = filter
  return createExchangeMatcher(pattern)
}

/** Lists the newest requests for messages, and marks those that match the route of the filter. */
export const formatReceivedRequests = (journal: Journal, filter: ExchangeFilter | string): string => {
  const { all } = journal
  if (all.length === 0) return 'No requests were received.'
  const matchesRoute = createRouteMatcher(filter)
  const lines = all
    .slice(-maxListedExchanges)
    .map((exchange) => `${matchesRoute(exchange) ? '~' : ' '} ${formatExchange(exchange)}`)
  const count = all.length > lines.length ? `the last ${lines.length} of ${all.length}` : `${all.length}`
  const legend = lines.some((line) => line.startsWith('~')) ? ' (~ matches the route only)' : ''
  return [`Requests received: ${count}${legend}`, ...lines].join('\n')
}

/** The longest delay of a timer, in milliseconds; longer ones expire at once. */
export const maxTimeout = 2 ** 31 - 1

/**
 * Waits for `count` matching requests, including those already in the journal.
 *
 * @throws TypeError for an unknown option, PlatformError `invalid_input` for an invalid timeout, count or filter
 * @throws WaitTimeoutError after `timeout`
 */
export const waitFor = async (
  journal: Journal,
  filter: ExchangeFilter | string,
  options: WaitOptions = {},
): Promise<Exchange> => {
  assertOptions('waitFor', options, waitOptions)
  const { timeout = 1_000, count = 1, signal } = options
  assertInteger('timeout', timeout, 0, maxTimeout)
  assertInteger('count', count, 1)
  const matches = createExchangeMatcher(filter)
  const existing = journal.find(filter)
  const last = existing[count - 1]
  if (last) return last
  return new Promise((resolve, reject) => {
    let matched = existing.length
    const cleanUp = () => {
      clearTimeout(timer)
      unsubscribe()
      signal?.removeEventListener('abort', onAbort)
    }
    const onAbort = () => {
      cleanUp()
      reject(signal?.reason)
    }
    const onTimeout = () => {
      cleanUp()
      const expected = count === 1 ? '' : `, ${count} times (received ${matched})`
      const received = formatReceivedRequests(journal, filter)
      const message = `No matching request within ${timeout} ms: ${formatFilter(filter)}${expected}\n${received}`
      reject(new WaitTimeoutError(message))
    }
    const unsubscribe = journal.listen((exchange) => {
      if (!matches(exchange)) return
      matched += 1
      if (matched < count) return
      cleanUp()
      resolve(exchange)
    })
    const timer = setTimeout(onTimeout, timeout)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
  })
}
