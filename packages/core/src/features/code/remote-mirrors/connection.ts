import { isPlatformError } from '../../../kernel/errors.ts'
import type { RemoteRequest } from '../../../ports/git.ts'
import type { Ports } from '../../../ports/ports.ts'
import { maskCredentials } from '../../../shared/mask-credentials.ts'
import { resolveDestination } from '../../administration/settings/outbound-destination.ts'
import type { OutboundRules } from '../../administration/settings/outbound-rules.ts'

/** Characters of an error that is stored. */
export const maxErrorLength = 1_000

/** A remote repository of a mirror. */
interface MirrorAddress {
  readonly url: string
  /** User and password as JSON, sealed in `context`; null for none. */
  readonly sealedCredentials: string | null
  readonly context: string
  readonly rules: OutboundRules
}

interface MirrorCredentials {
  readonly user: string | null
  readonly password: string | null
}

const noCredentials: MirrorCredentials = { user: null, password: null }

const readCredentials = ({ secrets }: Ports, { sealedCredentials, context }: MirrorAddress): MirrorCredentials =>
  sealedCredentials === null
    ? noCredentials
    : (JSON.parse(secrets.open(sealedCredentials, context)) as MirrorCredentials)

/** Messages of platform errors are meant for users; those of unexpected errors may contain internal data. */
const toErrorMessage = (error: unknown, { user, password }: MirrorCredentials): string => {
  if (!isPlatformError(error)) return 'Mirroring failed'
  if (error.reason === 'credentials') {
    const hasCredentials = user !== null || password !== null
    return hasCredentials
      ? 'The remote repository rejected the credentials'
      : 'The remote repository requires credentials'
  }
  return maskCredentials(error.message, { user, secrets: [password] }).slice(0, maxErrorLength) || 'Mirroring failed'
}

/** What came of a connection: a result, or a problem without secrets. */
type Connected<T> =
  | { readonly result: T }
  /** `isPermanent`: another attempt has the same problem. */
  | { readonly problem: string; readonly isPermanent: boolean }

/** Connects to a remote repository at its verified address, outside transactions. Never throws. */
export async function connect<T>(
  ports: Ports,
  address: MirrorAddress,
  signal: AbortSignal,
  work: (remote: RemoteRequest) => Promise<T>,
): Promise<Connected<T>> {
  let credentials = noCredentials
  try {
    const { url, rules } = address
    const destination = await resolveDestination(ports, rules, url, signal)
    if (destination.status === 'refused')
      return { problem: `The URL is blocked: ${destination.reason}`, isPermanent: true }
    if (destination.status === 'unresolved') return { problem: 'The host name cannot be resolved', isPermanent: false }
    credentials = readCredentials(ports, address)
    const { user, password } = credentials
    const hasCredentials = user !== null || password !== null
    const result = await work({
      url,
      signal,
      ...(hasCredentials && { credentials: { username: user ?? '', password: password ?? '' } }),
      ...(destination.ipAddress !== undefined && { ipAddress: destination.ipAddress }),
    })
    return { result }
  } catch (error) {
    return { problem: toErrorMessage(error, credentials), isPermanent: false }
  }
}
