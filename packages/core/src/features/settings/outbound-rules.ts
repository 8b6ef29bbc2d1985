import { canonicalHost, hostAddress } from '../../access/addresses.ts'
import { addressComplaint, checkHost, type HostCheck, hostComplaint, type Lookup } from '../../access/host-check.ts'
import type { Context } from '../../kernel/context.ts'
import { addressList } from './address-list.ts'
import type { Settings } from './definition.ts'
import { settingsInForce } from './queries.ts'

/** Where the platform may connect to on behalf of its users, as the settings have it. */
export interface OutboundRules {
  /** Addresses of the local network may be called. */
  readonly allowsLocal: boolean
  /**
   * A name is to be called at the very addresses that were checked, so that a name server which answers differently the
   * next time leads nowhere else.
   */
  readonly pinsAddresses: boolean
  /** Why the host of a URL may not be called, as far as it can be told without a name server; undefined when it may. */
  hostComplaint(host: string): string | undefined
  /** Why an address may not be connected to; undefined when it may. */
  addressComplaint(address: string): string | undefined
  /** Resolves a host and judges every address it has, as `checkHost` does. */
  checkHost(host: string, resolve: Lookup): Promise<HostCheck>
}

type OutboundSettings = Pick<
  Settings,
  'allowLocalRequestsFromWebHooksAndServices' | 'outboundLocalRequestsWhitelist' | 'dnsRebindingProtectionEnabled'
>

/** The rules that some settings make: listed hosts and addresses may be called although they are local. */
export const rulesOf = (settings: OutboundSettings): OutboundRules => {
  const allowsLocal = settings.allowLocalRequestsFromWebHooksAndServices
  const listed = addressList(settings.outboundLocalRequestsWhitelist)
  const hostAllowed = (host: string) => canonicalHost(host) !== undefined && (allowsLocal || listed.hasHost(host))
  const complaintAbout = (address: string) =>
    hostAddress(address) !== undefined && (allowsLocal || listed.hasAddress(address))
      ? undefined
      : addressComplaint(address)
  const complaintAboutHost = (host: string) => (hostAllowed(host) ? undefined : hostComplaint(host))
  return {
    allowsLocal,
    pinsAddresses: settings.dnsRebindingProtectionEnabled,
    hostComplaint: complaintAboutHost,
    addressComplaint: complaintAbout,
    checkHost: (host, resolve) =>
      checkHost(host, resolve, {
        hostComplaint: complaintAboutHost,
        // A host that is listed may be called wherever it leads.
        addressComplaint: hostAllowed(host) ? () => undefined : complaintAbout,
      }),
  }
}

const known = new WeakMap<Settings, OutboundRules>()

/** Where the platform may connect to at present; for mirrors and everything else that calls an address a user has named. */
export async function outboundRules(ctx: Context): Promise<OutboundRules> {
  const settings = await settingsInForce(ctx)
  const rules = known.get(settings) ?? rulesOf(settings)
  known.set(settings, rules)
  return rules
}
