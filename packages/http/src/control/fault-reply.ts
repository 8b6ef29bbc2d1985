import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { type Reply, statusesWithoutBody } from '../reply/reply.ts'
import { STATUS_CODES } from '../server/node-http.ts'
import type { ParsedFault } from './fault.ts'

/** The error of `fetch` for a broken connection. */
export class ConnectionCutError extends TypeError {
  readonly fault: number

  constructor(fault: number) {
    super('fetch failed', {
      cause: Object.assign(new Error('The connection was cut'), { code: 'ECONNRESET', syscall: 'read' }),
    })
    this.fault = fault
  }
}

const createContent = (status: number, body: unknown): Pick<Reply, 'bytes' | 'headers'> => {
  if (statusesWithoutBody.has(status)) return {}
  if (typeof body === 'string') return { bytes: body, headers: { 'Content-Type': 'text/plain' } }
  const content = body ?? { message: `${status} ${STATUS_CODES[status] ?? 'Unknown'}` }
  return { bytes: JSON.stringify(content), headers: { 'Content-Type': 'application/json' } }
}

const createRateLimitReply = (rateLimit: NonNullable<ParsedFault['rateLimit']>, now: number): Reply => {
  const { retryAfter, limit, name } =
    rateLimit === true ? { retryAfter: 60, limit: 600, name: 'throttle_authenticated_api' } : rateLimit
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

/** The reply of a fault; undefined if the platform's reply is used. */
export const createFaultReply = ({ status, body, rateLimit }: ParsedFault, now: number): Reply | undefined => {
  const base = rateLimit === undefined ? undefined : createRateLimitReply(rateLimit, now)
  if (status === undefined && body === undefined) return base
  const code = status ?? base?.status ?? 500
  const content = createContent(code, body)
  return { status: code, ...content, headers: { ...base?.headers, ...content.headers } }
}

const readAllBytes = async (bytes: Reply['bytes']): Promise<Buffer> => {
  if (bytes === undefined) return Buffer.alloc(0)
  if (!(bytes instanceof Readable)) return Buffer.from(bytes as string)
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks)
}

/** Cuts the connection in the middle of the body; without a body, before the reply. */
export const truncateReply = async (reply: Reply, fault: number): Promise<Reply> => {
  const body = await readAllBytes(reply.bytes)
  if (body.length === 0) throw new ConnectionCutError(fault)
  const streamHalf = async function* () {
    yield body.subarray(0, Math.floor(body.length / 2))
    // Waits until the first half is sent: a destroyed socket discards its buffer.
    await pause(10)
    throw new ConnectionCutError(fault)
  }
  return {
    ...reply,
    bytes: Readable.from(streamHalf(), { objectMode: false }),
    headers: { ...reply.headers, 'Content-Length': String(body.length) },
  }
}
