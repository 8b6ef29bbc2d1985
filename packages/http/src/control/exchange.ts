import { type AddressTest, addressTest, methodTest, operationTest, pathTest } from './address-pattern.ts'
import { carries, type Partially } from './carried.ts'

/** One side of an exchange. Secrets are taken out, and a long body is cut. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Bytes of the whole body; null for a stream, which is not kept. */
  readonly size: number | null
}

/** One request and what came of it. */
export interface Exchange {
  /** Counts from 1, in the order in which requests were answered. */
  readonly id: number
  /** By the clock of the world, ISO 8601. */
  readonly at: string
  readonly method: string
  /** As it was sent, without the query. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  /** The route that answers there: `POST /api/v4/projects/:id/labels`. */
  readonly route: string | null
  /** `labels.create` */
  readonly operation: string | null
  /** Null where the connection was cut. */
  readonly status: number | null
  readonly milliseconds: number
  readonly requestId: string
  /** The fault that had to do with it. */
  readonly fault: number | null
  readonly request: Message
  readonly response: Message
}

/** Which exchanges are meant: everything that is given has to hold. */
export interface ExchangeFilter {
  /** `POST /projects/:id/labels`, `/projects/**`, or an operation such as `labels.create`. */
  readonly on?: string
  readonly method?: string
  readonly path?: string
  readonly operation?: string
  /** A status, or a class such as `4xx`. */
  readonly status?: number | string
  /** Parameters that the request carried in its query or its body, whichever way they were sent: at least these. */
  readonly with?: Partially
  readonly fault?: number
  /** Only those after the exchange with this id. */
  readonly after?: number
}

const statusTest = (wanted: number | string): ((status: number | null) => boolean) => {
  const text = String(wanted).toLowerCase()
  if (text.endsWith('xx')) return (status) => status !== null && String(status)[0] === text[0]
  return (status) => status === Number(wanted)
}

/** @throws PlatformError `invalid_input` when a part of it cannot be read */
export const exchangeTest = (filter: ExchangeFilter | string = {}): ((exchange: Exchange) => boolean) => {
  const {
    on,
    method,
    path,
    operation,
    status,
    with: parameters,
    fault,
    after,
  } = typeof filter === 'string' ? { on: filter } : filter
  const addresses: AddressTest[] = [addressTest(on)]
  if (method !== undefined) addresses.push(methodTest(method))
  if (path !== undefined) addresses.push(pathTest(path))
  if (operation !== undefined) addresses.push(operationTest(operation))
  const answers = status === undefined ? () => true : statusTest(status)
  return (exchange) =>
    addresses.every((fits) => fits(exchange)) &&
    answers(exchange.status) &&
    (fault === undefined || exchange.fault === fault) &&
    (after === undefined || exchange.id > after) &&
    (parameters === undefined || carries(exchange, parameters))
}
