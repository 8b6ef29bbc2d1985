import { randomUUID } from 'node:crypto'
import type { Call, CallObserver } from '@forgelet/core'
import type { Site } from '../reply/wire.ts'
import type { IncomingRequest } from './incoming-request.ts'

const maxUserAgentLength = 1_000

const parseHttpDate = (date: string | undefined): number | undefined => {
  const instant = date === undefined ? Number.NaN : Date.parse(date)
  // An invalid date is ignored (RFC 9110, section 13.1.4).
  return Number.isNaN(instant) ? undefined : instant
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Receivers of webhooks repeat this header, so that a chain of requests is recognized. */
const parseHookChain = (uuid: string | undefined): Call['hookChain'] =>
  uuid !== undefined && uuidPattern.test(uuid) ? { uuid: uuid.toLowerCase(), call: randomUUID() } : undefined

/** The parts of a request that the platform reads, except the identity and the parameters. */
export const createCall = (
  request: Pick<IncomingRequest, 'method' | 'header' | 'ipAddress' | 'signal' | 'memory'>,
  { url: siteUrl, sshPort }: Site,
  isRateLimited: boolean,
  observer: CallObserver,
): Call => {
  const { method, header, ipAddress, signal, memory } = request
  return {
    siteUrl,
    sshPort,
    userAgent: header('user-agent')?.slice(0, maxUserAgentLength),
    ipAddress,
    unmodifiedSince: method === 'DELETE' ? parseHttpDate(header('if-unmodified-since')) : undefined,
    signal,
    memory,
    hookChain: parseHookChain(header('x-gitlab-event-uuid')),
    isRateLimited,
    observer,
  }
}
