import type { Log } from './log.ts'
import { findFreePort, startWorkers } from './workers.ts'

interface Supervised {
  readonly url: string
  close(): Promise<void>
}

/** Longer than a worker needs to stop, in milliseconds. */
const gracePeriod = 15_000

/**
 * Serves with several processes on one port. Resolves when all of them listen.
 *
 * @param drainDelay milliseconds for which workers continue to serve after the request to stop
 */
export async function supervise(
  { count, port, host, drainDelay }: { count: number; port: number; host: string; drainDelay: number },
  log: Log,
): Promise<Supervised> {
  const address = await findFreePort(port, host)
  const pool = startWorkers(count, address.port, log, gracePeriod + drainDelay)
  try {
    await pool.ready
  } catch (error) {
    await pool.stop()
    throw error
  }
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return { url: `http://${name}:${address.port}`, close: pool.stop }
}
