import type { Call, Witness } from '@forgelet/core'
import type { Ask } from './app.ts'
import type { Site } from './wire.ts'

const longestAgent = 1_000

const instantOf = (date: string | undefined): number | undefined => {
  const instant = date === undefined ? Number.NaN : Date.parse(date)
  // A date that nobody can read sets no condition (RFC 9110, section 13.1.4).
  return Number.isNaN(instant) ? undefined : instant
}

/** What the platform may know of a request besides its sender and its parameters. */
export const callOf = (
  { method, header, address, gone }: Pick<Ask, 'method' | 'header' | 'address' | 'gone'>,
  { url: siteUrl }: Site,
  limited: boolean,
  witness: Witness,
): Call => ({
  siteUrl,
  userAgent: header('user-agent')?.slice(0, longestAgent),
  address,
  unmodifiedSince: method === 'DELETE' ? instantOf(header('if-unmodified-since')) : undefined,
  gone,
  limited,
  witness,
})
