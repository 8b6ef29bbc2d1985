import type { Call, CallObserver } from '@forgelet/core'
import type { Site } from '../reply/wire.ts'
import type { IncomingRequest } from './incoming-request.ts'

const maxUserAgentLength = 1_000

const parseHttpDate = (date: string | undefined): number | undefined => {
  const instant = date === undefined ? Number.NaN : Date.parse(date)
  // An invalid date is ignored (RFC 9110, section 13.1.4).
  return Number.isNaN(instant) ? undefined : instant
}

/** The parts of a request that the platform reads, except the identity and the parameters. */
export const createCall = (
  { method, header, ipAddress, signal }: Pick<IncomingRequest, 'method' | 'header' | 'ipAddress' | 'signal'>,
  { url: siteUrl }: Site,
  isRateLimited: boolean,
  observer: CallObserver,
): Call => ({
  siteUrl,
  userAgent: header('user-agent')?.slice(0, maxUserAgentLength),
  ipAddress,
  unmodifiedSince: method === 'DELETE' ? parseHttpDate(header('if-unmodified-since')) : undefined,
  signal,
  isRateLimited,
  observer,
})
