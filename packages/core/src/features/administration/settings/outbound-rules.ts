import type { Context } from '../../../kernel/context.ts'
import {
  checkHost,
  getAddressError,
  getHostError,
  type HostCheck,
  type HostResolver,
} from '../../../network/host-check.ts'
import { canonicalizeHost, parseHostAddress } from '../../../network/ip-addresses.ts'
import { createAddressList } from './address-list.ts'
import type { Settings } from './definition.ts'
import { getSettings } from './queries.ts'

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
