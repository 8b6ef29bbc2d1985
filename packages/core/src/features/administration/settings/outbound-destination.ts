import { isIPv4 } from 'node:net'
import { invalid } from '../../../kernel/errors.ts'
import type { Ports } from '../../../ports/ports.ts'
import { withTimeout } from '../../../shared/with-timeout.ts'
import type { OutboundRules } from './outbound-rules.ts'

/** Whether the host of a URL may be connected to, and at which IP address; undefined for any. */
export type Destination =
  | { readonly status: 'open'; readonly ipAddress: string | undefined }
  | { readonly status: 'refused'; readonly reason: string }
  | { readonly status: 'unresolved' }

/**
 * Resolves and checks the host of a URL. Call it before every request, because the DNS records may have changed since the URL was
 * entered.
 */
export const resolveDestination = async (
  { dns }: Pick<Ports, 'dns'>,
  rules: OutboundRules,
  url: string,
  signal: AbortSignal,
): Promise<Destination> => {
  const check = await rules.checkHost(new URL(url).hostname, (host) => dns.addresses(host, { signal }))
  if (check.status !== 'allowed') return check
  const ipAddress = check.addresses.find(isIPv4) ?? check.addresses[0]
  return { status: 'open', ipAddress: rules.pinsAddresses ? ipAddress : undefined }
}

/** Unresolved names are accepted, because every request resolves the name again. */
const lookupTimeoutMs = 2_000

/**
 * Rejects a URL with a host name that currently resolves to a forbidden address.
 *
 * @throws PlatformError `invalid` on the field with the URL
 */
export const assertUrlAllowed = async (
  { dns }: Pick<Ports, 'dns'>,
  rules: OutboundRules,
  url: string,
  field = 'url',
): Promise<void> => {
  const lookup = rules.checkHost(new URL(url).hostname, dns.addresses)
  const check = await withTimeout(lookup, lookupTimeoutMs, { status: 'unresolved' })
  if (check.status === 'refused') throw invalid({ [field]: [`is blocked: ${check.reason}`] })
}
