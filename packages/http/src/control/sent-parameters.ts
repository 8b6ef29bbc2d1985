import { matchRoute } from '../routing/match-route.ts'
import type { Exchange } from './exchange.ts'

/** Expected parameters with their values. Objects match if they contain the expected properties. */
export type PartialParameters = Readonly<Record<string, unknown>>

type Parameters = Record<string, unknown>

const addParameter = (into: Parameters, name: string, value: string) => {
  if (!name.endsWith('[]')) {
    into[name] = value
    return
  }
  const list = name.slice(0, -2)
  const items = into[list]
  into[list] = Array.isArray(items) ? [...items, value] : [value]
}

const parseForm = (text: string): Parameters => {
  const parameters: Parameters = {}
  for (const [name, value] of new URLSearchParams(text)) addParameter(parameters, name, value)
  return parameters
}

const parseBodyParameters = ({ request: { headers, body } }: Exchange): Parameters => {
  if (body === '') return {}
  const type = headers['content-type'] ?? ''
  if (type.includes('x-www-form-urlencoded')) return parseForm(body)
  try {
    const value: unknown = JSON.parse(body)
    return value !== null && typeof value === 'object' ? (value as Parameters) : {}
  } catch {
    // Truncated, or not JSON.
    return {}
  }
}

/** The parameters of a request, by the part that contained them. */
export interface SentParameters {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
}

export const readSentParameters = (exchange: Exchange): SentParameters => {
  const match = matchRoute(exchange.method, exchange.path)
  return {
    path: match.kind === 'route' ? match.path : {},
    query: parseForm(exchange.query),
    body: parseBodyParameters(exchange),
  }
}

/** Values of queries and forms are strings, so `true` equals `"true"`. */
const matchesValue = (sent: unknown, expected: unknown): boolean => {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(sent) &&
      sent.length === expected.length &&
      expected.every((item, index) => matchesValue(sent[index], item))
    )
  }
  if (expected !== null && typeof expected === 'object') {
    if (sent === null || typeof sent !== 'object') return false
    return Object.entries(expected).every(([name, value]) => matchesValue((sent as Parameters)[name], value))
  }
  if (expected === null || expected === undefined) return sent === expected
  return sent !== undefined && sent !== null && typeof sent !== 'object' && String(sent) === String(expected)
}

/** Whether a request contains these parameters, among others. */
export const hasParameters = (exchange: Exchange, expected: PartialParameters): boolean =>
  matchesValue({ ...parseForm(exchange.query), ...parseBodyParameters(exchange) }, expected)
