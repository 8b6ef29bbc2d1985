import { BlockList, isIP, isIPv6 } from 'node:net'
import type { Context } from '../../../kernel/context.ts'
import {
  checkHost,
  getAddressError,
  getHostError,
  type HostCheck,
  type HostResolver,
} from '../../../network/host-check.ts'
import { canonicalizeHost, parseHostAddress } from '../../../network/ip-addresses.ts'
import type { Settings } from './definition.ts'
import { getSettings } from './queries.ts'

/** An allow list of host names, IP addresses and CIDR ranges. */
interface AddressList {
  /** Whether the host of a URL is listed: by its exact name, or by IP address when it is one. */
  hasHost(host: string): boolean
  hasIpAddress(address: string): boolean
}

const ipFamily = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

const canonicalName = (host: string) => canonicalizeHost(host.trim())?.replace(/\.$/, '')

/** Parses a CIDR range such as `10.1.0.0/16`. */
const parseRange = (entry: string): { readonly network: string; readonly prefix: number } | undefined => {
  const [network = '', length = '', more] = entry.trim().split('/')
  if (more !== undefined || isIP(network) === 0 || !/^[0-9]{1,3}$/.test(length)) return undefined
  const prefix = Number(length)
  return prefix <= (isIPv6(network) ? 128 : 32) ? { network, prefix } : undefined
}

/** Entries are host names, IP addresses in any notation and CIDR ranges (RFC 4632, section 3.1); others are ignored. */
const createAddressList = (entries: readonly string[]): AddressList => {
  const names = new Set<string>()
  const addresses = new BlockList()
  for (const entry of entries) {
    const range = parseRange(entry)
    const address = parseHostAddress(entry.trim())
    const name = canonicalName(entry)
    if (range) addresses.addSubnet(range.network, range.prefix, ipFamily(range.network))
    else if (address !== undefined) addresses.addAddress(address, ipFamily(address))
    else if (name !== undefined) names.add(name)
  }
  const hasIpAddress = (text: string) => {
    const address = parseHostAddress(text)
    return address !== undefined && addresses.check(address, ipFamily(address))
  }
  return { hasIpAddress, hasHost: (host) => names.has(canonicalName(host) ?? '') || hasIpAddress(host) }
}

/** Which hosts the platform can connect to on behalf of users, according to the settings. */
export interface OutboundRules {
  /** The setting that allows connections to the local network. */
  readonly setting: 'allowLocalRequestsFromWebHooksAndServices' | 'allowLocalRequestsFromSystemHooks'
  /** Connections to the local network are allowed. */
  readonly allowsLocal: boolean
  /** Connections must use the IP addresses that were checked, which prevents DNS rebinding. */
  readonly pinsAddresses: boolean
  /** Why the host of a URL is forbidden, without resolving it; undefined when it is allowed. */
  getHostError(host: string): string | undefined
  /** Why an IP address is forbidden; undefined when it is allowed. */
  getAddressError(address: string): string | undefined
  /** Resolves a host and checks each of its IP addresses. */
  checkHost(host: string, resolve: HostResolver): Promise<HostCheck>
}

type OutboundSettings = Pick<
  Settings,
  'allowLocalRequestsFromWebHooksAndServices' | 'outboundLocalRequestsWhitelist' | 'dnsRebindingProtectionEnabled'
>

/** Derives the rules from the settings: listed hosts and IP addresses are allowed although they are local. */
export const toOutboundRules = (
  settings: OutboundSettings,
  setting: OutboundRules['setting'] = 'allowLocalRequestsFromWebHooksAndServices',
): OutboundRules => {
  const allowsLocal = settings.allowLocalRequestsFromWebHooksAndServices
  const listed = createAddressList(settings.outboundLocalRequestsWhitelist)
  const hostAllowed = (host: string) => canonicalizeHost(host) !== undefined && (allowsLocal || listed.hasHost(host))
  const addressError = (address: string) =>
    parseHostAddress(address) !== undefined && (allowsLocal || listed.hasIpAddress(address))
      ? undefined
      : getAddressError(address)
  const hostError = (host: string) => (hostAllowed(host) ? undefined : getHostError(host))
  return {
    setting,
    allowsLocal,
    pinsAddresses: settings.dnsRebindingProtectionEnabled,
    getHostError: hostError,
    getAddressError: addressError,
    checkHost: (host, resolve) =>
      checkHost(host, resolve, {
        getHostError: hostError,
        // An allowed host can resolve to any IP address.
        getAddressError: hostAllowed(host) ? () => undefined : addressError,
      }),
  }
}

/** Who entered a URL: users, for mirrors and webhooks, or administrators, for system hooks. */
type OutboundKind = 'users' | 'administrators'

const rulesCache = new WeakMap<Settings, Readonly<Record<OutboundKind, OutboundRules>>>()

/** The current rules, for mirrors and all other requests to user-supplied URLs. */
export async function getOutboundRules(ctx: Context, kind: OutboundKind = 'users'): Promise<OutboundRules> {
  const settings = await getSettings(ctx)
  const rules = rulesCache.get(settings) ?? {
    users: toOutboundRules(settings),
    administrators: toOutboundRules(
      { ...settings, allowLocalRequestsFromWebHooksAndServices: settings.allowLocalRequestsFromSystemHooks },
      'allowLocalRequestsFromSystemHooks',
    ),
  }
  rulesCache.set(settings, rules)
  return rules[kind]
}
