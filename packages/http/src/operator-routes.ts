import type { Platform } from '@forgelet/core'
import type { Ask } from './app.ts'
import { bearerOf, isSecret } from './credentials.ts'
import { isForwarded, isLoopback } from './forwarding.ts'
import { expositionType } from './metrics/exposition.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Reply } from './reply.ts'

/** What only the server around an app knows. */
export interface Host {
  /** Whether it has been told to stop and takes nothing new. */
  draining(): boolean
  readonly metrics?: Metrics
}

interface Check {
  readonly status: 'ok' | 'failed'
  readonly message?: string
}

const ok: Check = { status: 'ok' }
const failing = (message: string): Check => ({ status: 'failed', message })

const patience = 3_000

const within = <T>(work: Promise<T>, milliseconds: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), milliseconds)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Whether requests should be sent here: the database answers, its schema fits, and nobody has told us to stop. */
const readiness = async (platform: Platform, host: Host): Promise<Reply> => {
  const checks: Record<string, Check> = { server_check: host.draining() ? failing('The server is stopping') : ok }
  try {
    const { store } = await within(platform.vitals(), patience)
    checks.database_check = ok
    const behind = store.pending.length ? failing(`${store.pending.length} migrations have not run`) : ok
    checks.migrations_check = store.newer.length ? failing('A newer version has migrated the database') : behind
  } catch {
    // What exactly is wrong is for the log and for `doctor`, not for whoever can reach this.
    checks.database_check = failing('The database does not answer')
  }
  const all = Object.values(checks).every(({ status }) => status === 'ok')
  const body = {
    status: all ? 'ok' : 'failed',
    ...Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, [check]])),
  }
  return { status: all ? 200 : 503, body, headers: { 'Cache-Control': 'no-store' } }
}

/**
 * Whether a request comes from this machine. One that a proxy on this machine passes on comes from elsewhere: unless the
 * proxy is a trusted one, so that its word counts, any trace of it is enough to refuse.
 */
const isLocal = ({ address, addressVouched, header }: Ask) =>
  address !== undefined && isLoopback(address) && (addressVouched === true || !isForwarded(header))

const showsToken = ({ header }: Ask, token: string) => {
  const shown = bearerOf(header)
  return shown !== undefined && isSecret(shown, token)
}

const metricsReply = async (ask: Ask, host: Host, token: string | undefined): Promise<Reply | undefined> => {
  if (!host.metrics) return undefined
  // A token, once there is one, is asked of everybody: of this machine too.
  const admitted = token === undefined ? isLocal(ask) : showsToken(ask, token)
  if (!admitted) return undefined
  const headers = { 'Content-Type': expositionType, 'Cache-Control': 'no-store' }
  return { status: 200, bytes: Buffer.from(await host.metrics.text()), headers }
}

/**
 * Answers the addresses for operators, which are no part of the API: `/-/health`, `/-/liveness`, `/-/readiness` and
 * `/-/metrics`. Undefined for every other one, and for figures that the caller may not see.
 */
export async function operatorReply(
  platform: Platform,
  host: Host,
  ask: Ask,
  path: string,
  metricsToken: string | undefined,
): Promise<Reply | undefined> {
  if (ask.method !== 'GET' && ask.method !== 'HEAD') return undefined
  switch (path) {
    case '/-/health':
      return { status: 200, bytes: Buffer.from('Forgelet OK\n'), headers: { 'Content-Type': 'text/plain' } }
    case '/-/liveness':
      return { status: 200, body: { status: 'ok' }, headers: { 'Cache-Control': 'no-store' } }
    case '/-/readiness':
      return readiness(platform, host)
    case '/-/metrics':
      return metricsReply(ask, host, metricsToken)
    default:
      return undefined
  }
}
