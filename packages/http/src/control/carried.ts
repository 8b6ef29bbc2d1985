import type { Exchange } from './exchange.ts'

/** A part of what is expected: fields that must be there, with these values or parts of them. */
export type Partially = Readonly<Record<string, unknown>>

type Parameters = Record<string, unknown>

const add = (into: Parameters, name: string, value: string) => {
  if (!name.endsWith('[]')) {
    into[name] = value
    return
  }
  const list = name.slice(0, -2)
  const known = into[list]
  into[list] = Array.isArray(known) ? [...known, value] : [value]
}

const ofForm = (text: string): Parameters => {
  const found: Parameters = {}
  for (const [name, value] of new URLSearchParams(text)) add(found, name, value)
  return found
}

const ofBody = ({ request: { headers, body } }: Exchange): Parameters => {
  if (body === '') return {}
  const type = headers['content-type'] ?? ''
  if (type.includes('x-www-form-urlencoded')) return ofForm(body)
  try {
    const value: unknown = JSON.parse(body)
    return value !== null && typeof value === 'object' ? (value as Parameters) : {}
  } catch {
    // Too long to be kept whole, or in no form that has parameters.
    return {}
  }
}

/** What a request carried, from its query and its body. */
const carried = (exchange: Exchange): Parameters => ({ ...ofForm(exchange.query), ...ofBody(exchange) })

/** Queries and forms know only texts: `true` and `"true"` mean the same there. */
const same = (sent: unknown, wanted: unknown): boolean => {
  if (Array.isArray(wanted)) {
    return Array.isArray(sent) && sent.length === wanted.length && wanted.every((one, at) => same(sent[at], one))
  }
  if (wanted !== null && typeof wanted === 'object') {
    if (sent === null || typeof sent !== 'object') return false
    return Object.entries(wanted).every(([name, value]) => same((sent as Parameters)[name], value))
  }
  if (wanted === null || wanted === undefined) return sent === wanted
  return sent !== undefined && sent !== null && typeof sent !== 'object' && String(sent) === String(wanted)
}

/** Whether a request carried at least these parameters. */
export const carries = (exchange: Exchange, wanted: Partially): boolean => same(carried(exchange), wanted)
