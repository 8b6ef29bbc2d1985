import type { Platform, Ports } from '@forgelet/core'
import type { Logger } from '../app/app-options.ts'
import { messageOf } from '../app/error-text.ts'
import type { RunningSiteServer } from '../pages-sites/tls-server.ts'
import { CliError } from './cli-error.ts'
import type { ServeCommandOptions } from './options.ts'

/** How the sites of projects are served. */
export const toPages = ({ pagesHost: host }: ServeCommandOptions): Ports['pages'] => ({
  enabled: true,
  ...(host !== undefined && { host: host.toLowerCase() }),
})

/**
 * Starts the server of sites over TLS that the options select; undefined without one.
 *
 * @throws CliError if the port is taken
 */
export const startSites = async (
  platform: Platform,
  options: ServeCommandOptions,
  logger: Logger,
): Promise<RunningSiteServer | undefined> => {
  const { pagesTlsPort: port, host, baseUrl } = options
  if (port === undefined) return undefined
  const { serveSites } = await import('../pages-sites/tls-server.ts')
  try {
    return await serveSites(platform, { port, host, logger, ...(baseUrl !== undefined && { baseUrl }) })
  } catch (error) {
    throw new CliError(`Sites cannot be served on ${host}, port ${port}: ${messageOf(error)}`)
  }
}
