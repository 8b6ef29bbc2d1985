import type { DataFileIdentity } from './data-paths.ts'
import { findFreePort } from './free-port.ts'
import type { Log } from './log.ts'
import { shutdownTimeout } from './shutdown.ts'
import { startWorkers } from './workers.ts'

interface SupervisorOptions {
  readonly count: number
  readonly port: number
  readonly host: string
  readonly drainDelay: number
  readonly dataFile: DataFileIdentity | undefined
}

interface Supervised {
  readonly url: string
  close(): Promise<void>
}

/** Milliseconds in which a worker ends by itself; it is killed afterwards. */
export const workerShutdownTimeout = shutdownTimeout - 1_000
const killDelay = 500

/**
 * Serves with several processes on one port. Resolves when all of them listen.
 *
 * @param drainDelay milliseconds for which workers continue to serve after the request to stop
 */
export async function supervise(
  { count, port, host, drainDelay, dataFile }: SupervisorOptions,
  log: Log,
): Promise<Supervised> {
  const address = await findFreePort(port, host)
  const gracePeriod = workerShutdownTimeout + killDelay + drainDelay
  const pool = startWorkers(count, { port: address.port, dataFile }, log, gracePeriod)
  try {
    await pool.ready
  } catch (error) {
    await pool.stop()
    throw error
  }
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return { url: `http://${name}:${address.port}`, close: pool.stop }
}
