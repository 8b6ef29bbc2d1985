import type { Log } from './log.ts'
import { employ, freePort } from './workers.ts'

interface Supervised {
  readonly url: string
  close(): Promise<void>
}

/** Longer than a worker itself takes at most, in milliseconds. */
const grace = 15_000

/**
 * Serves with several processes on one port. Resolves when all of them answer.
 *
 * @param drainDelay milliseconds for which workers serve on after they were told to stop
 */
export async function supervise(
  { count, port, host, drainDelay }: { count: number; port: number; host: string; drainDelay: number },
  log: Log,
): Promise<Supervised> {
  const address = await freePort(port, host)
  const workforce = employ(count, address.port, log, grace + drainDelay)
  try {
    await workforce.ready
  } catch (error) {
    await workforce.stop()
    throw error
  }
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return { url: `http://${name}:${address.port}`, close: workforce.stop }
}
