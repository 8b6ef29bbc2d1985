import { defined } from '@forgelet/core/operations'
import type { Reply } from './reply.ts'

/** Headers of every reply. A reply with a header of the same name replaces it, except `Vary`. */
const commonHeaders: readonly (readonly [name: string, value: string])[] = [
  ['X-Frame-Options', 'SAMEORIGIN'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Vary', 'Origin, Authorization, Private-Token'],
]

const addToList = (list: string, more: string) => [...new Set(`${list}, ${more}`.split(/, */))].join(', ')

/**
 * All headers that a reply is sent with, in pairs. No name occurs twice, in whatever case, except `Set-Cookie`; the values of `Vary`
 * are combined.
 *
 * @param transportHeaders headers that the reply cannot replace
 */
export const createSentHeaders = (
  { headers, cookies = [] }: Pick<Reply, 'headers' | 'cookies'>,
  transportHeaders: Readonly<Record<string, string>>,
): [name: string, value: string][] => {
  const sent = new Map<string, [name: string, value: string]>()
  for (const [name, value] of commonHeaders) sent.set(name.toLowerCase(), [name, value])
  for (const name in headers) {
    const key = name.toLowerCase()
    const value = defined(headers[name])
    const earlier = key === 'vary' ? sent.get(key) : undefined
    sent.set(key, [name, earlier ? addToList(earlier[1], value) : value])
  }
  for (const name in transportHeaders) sent.set(name.toLowerCase(), [name, defined(transportHeaders[name])])
  const pairs = [...sent.values()]
  for (const cookie of cookies) pairs.push(['Set-Cookie', cookie])
  return pairs
}
