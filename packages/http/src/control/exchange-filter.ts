import * as v from 'valibot'
import type { Exchange } from './exchange.ts'
import { assertInteger, createInvalidValueError, isPlainObject, parseObject } from './invalid-value.ts'
import {
  createMethodMatcher,
  createOperationMatcher,
  createPathMatcher,
  createRequestMatcher,
  type RequestMatcher,
} from './request-matcher.ts'
import { hasParameters, type PartialParameters } from './sent-parameters.ts'

/** Conditions for exchanges; all of them must hold. */
export interface ExchangeFilter {
  /** `POST /projects/:id/labels`, `/projects/**`, or an operation such as `labels.create`. */
  readonly on?: string
  readonly method?: string
  readonly path?: string
  readonly operation?: string
  /** A status, or a class of statuses such as `4xx`. */
  readonly status?: number | string
  /** Parameters that the query or the body contains, among others. */
  readonly with?: PartialParameters
  readonly fault?: number
  /** Only exchanges after this id. */
  readonly after?: number
}

const FilterSchema = v.strictObject({
  on: v.optional(v.string()),
  method: v.optional(v.string()),
  path: v.optional(v.string()),
  operation: v.optional(v.string()),
  status: v.optional(v.union([v.number(), v.string()])),
  with: v.optional(v.custom<PartialParameters>(isPlainObject, 'must be an object of parameters')),
  fault: v.optional(v.number()),
  after: v.optional(v.number()),
} satisfies Record<keyof ExchangeFilter, v.GenericSchema>)

const createStatusMatcher = (expected: number | string): ((status: number | null) => boolean) => {
  const text = String(expected).toLowerCase()
  if (!/^[1-5](xx|\d\d)$/.test(text)) {
    throw createInvalidValueError('status', expected, 'must be a status from 100 to 599, or a class such as 4xx')
  }
  if (text.endsWith('xx')) return (status) => status !== null && String(status)[0] === text[0]
  return (status) => status === Number(expected)
}

/** @throws PlatformError `invalid_input` for an invalid condition, and for a route or an operation that is misspelt */
export const createExchangeMatcher = (filter: ExchangeFilter | string = {}): ((exchange: Exchange) => boolean) => {
  const {
    on,
    method,
    path,
    operation,
    status,
    with: parameters,
    fault,
    after,
  } = typeof filter === 'string' ? { on: filter } : parseObject('filter', FilterSchema, filter)
  if (fault !== undefined) assertInteger('fault', fault, 0)
  if (after !== undefined) assertInteger('after', after, 0)
  const requestMatchers: RequestMatcher[] = [createRequestMatcher(on)]
  if (method !== undefined) requestMatchers.push(createMethodMatcher(method))
  if (path !== undefined) requestMatchers.push(createPathMatcher(path))
  if (operation !== undefined) requestMatchers.push(createOperationMatcher(operation))
  const matchesStatus = status === undefined ? () => true : createStatusMatcher(status)
  return (exchange) =>
    requestMatchers.every((matches) => matches(exchange)) &&
    matchesStatus(exchange.status) &&
    (fault === undefined || exchange.fault === fault) &&
    (after === undefined || exchange.id > after) &&
    (parameters === undefined || hasParameters(exchange, parameters))
}
