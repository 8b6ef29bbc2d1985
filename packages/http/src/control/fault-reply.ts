import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { STATUS_CODES } from '../node-http.ts'
import type { Reply } from '../reply.ts'
import type { ReadFault } from './fault.ts'

/** What a client of a broken connection gets, from node:http and from `fetch` alike. */
export class ConnectionCut extends TypeError {
  readonly fault: number

  constructor(fault: number) {
    super('fetch failed', {
      cause: Object.assign(new Error('The connection was cut'), { code: 'ECONNRESET', syscall: 'read' }),
    })
    this.fault = fault
  }
}

const withoutBody = new Set([204, 205, 304])

const contentOf = (status: number, body: unknown): Pick<Reply, 'bytes' | 'headers'> => {
  if (withoutBody.has(status)) return {}
  if (typeof body === 'string') return { bytes: body, headers: { 'Content-Type': 'text/plain' } }
  const content = body ?? { message: `${status} ${STATUS_CODES[status] ?? 'Unknown'}` }
  return { bytes: JSON.stringify(content), headers: { 'Content-Type': 'application/json' } }
}

const rateLimited = (given: NonNullable<ReadFault['rateLimit']>, now: number): Reply => {
  const { retryAfter, limit, name } =
    given === true ? { retryAfter: 60, limit: 600, name: 'throttle_authenticated_api' } : given
  const reset = Math.ceil(now / 1_000) + retryAfter
  return {
    status: 429,
    bytes: 'Retry later\n',
    headers: {
      'Content-Type': 'text/plain',
      'Retry-After': String(retryAfter),
      'RateLimit-Limit': String(limit),
      'RateLimit-Name': name,
      'RateLimit-Observed': String(limit + 1),
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': String(reset),
      'RateLimit-ResetTime': new Date(reset * 1_000).toUTCString(),
    },
  }
}

/** What a fault answers by itself; undefined where it leaves the answer to the platform. */
export const ownReply = ({ status, body, rateLimit }: ReadFault, now: number): Reply | undefined => {
  const base = rateLimit === undefined ? undefined : rateLimited(rateLimit, now)
  if (status === undefined && body === undefined) return base
  const code = status ?? base?.status ?? 500
  const content = contentOf(code, body)
  return { status: code, ...content, headers: { ...base?.headers, ...content.headers } }
}

const wholeOf = async (bytes: Reply['bytes']): Promise<Buffer> => {
  if (bytes === undefined) return Buffer.alloc(0)
  if (!(bytes instanceof Readable)) return Buffer.from(bytes as string)
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks)
}

/** The same reply, which promises its whole body and breaks off in the middle of it. A reply without a body is cut whole. */
export const brokenOff = async (reply: Reply, fault: number): Promise<Reply> => {
  const whole = await wholeOf(reply.bytes)
  if (whole.length === 0) throw new ConnectionCut(fault)
  const half = async function* () {
    yield whole.subarray(0, Math.floor(whole.length / 2))
    // Gives the half time to leave: what a socket still holds when it is destroyed never arrives.
    await pause(10)
    throw new ConnectionCut(fault)
  }
  return {
    ...reply,
    bytes: Readable.from(half(), { objectMode: false }),
    headers: { ...reply.headers, 'Content-Length': String(whole.length) },
  }
}
