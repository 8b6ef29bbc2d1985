import { defined } from '@forgelet/core/operations'
import type { Reply } from './reply.ts'

/** Headers of every reply. A reply with a header of the same name replaces it, except `Vary`. */
const commonHeaders: readonly string[] = Object.entries({
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Origin, Authorization, Private-Token',
}).flat()

const addToList = (list: string, more: string) => [...new Set(`${list}, ${more}`.split(/, */))].join(', ')

const isSameName = (name: string, other: string) =>
  name === other || (name.length === other.length && name.toLowerCase() === other.toLowerCase())

/**
 * All headers that a reply is sent with, as the flat list of names and values that Node.js writes without another conversion. No
 * name occurs twice, in whatever case, except `Set-Cookie`; the values of `Vary` are combined.
 *
 * @param transportHeaders headers that the reply cannot replace
 */
export const createSentHeaders = (
  { headers = {}, cookies = [] }: Pick<Reply, 'headers' | 'cookies'>,
  transportHeaders: Readonly<Record<string, string>>,
): string[] => {
  const sent = [...commonHeaders]
  const set = (name: string, value: string) => {
    // A reply has about ten headers: comparing each with each is faster than a map of names in lower case.
    for (let index = 0; index < sent.length; index += 2) {
      const other = defined(sent[index])
      if (!isSameName(other, name)) continue
      sent[index] = name
      sent[index + 1] = isSameName(name, 'Vary') ? addToList(defined(sent[index + 1]), value) : value
      return
    }
    sent.push(name, value)
  }
  for (const name in headers) set(name, defined(headers[name]))
  for (const name in transportHeaders) set(name, defined(transportHeaders[name]))
  for (const cookie of cookies) sent.push('Set-Cookie', cookie)
  return sent
}
