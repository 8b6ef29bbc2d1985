import { isIP } from 'node:net'
import type { Platform } from '@forgelet/core'
import { getErrorCode } from '@forgelet/core/operations'
import { describeError, messageOf } from '../app/error-text.ts'
import type { Middleware } from '../app/middleware.ts'
import type { RunningSiteServer } from '../pages-sites/tls-server.ts'
import { parseNetworks } from '../request/forwarding.ts'
import type { ServeOptions } from '../server/serve.ts'
import type { RunningSshServer } from '../ssh/ssh-server.ts'
import { CliError, UsageError } from './cli-error.ts'
import { assertSameDataFile, identifyDataFile } from './data-paths.ts'
import type { DemoUser } from './demo-users.ts'
import type { RegistryTokenSource } from './external-registry.ts'
import { findFreePort } from './free-port.ts'
import type { Invocation } from './invocation.ts'
import { openLog } from './log.ts'
import type { ServeCommandOptions, serveOptions } from './options.ts'
import { startSites, toPages } from './pages-sites.ts'
import { limitShutdown, parentEnd, shutdownSignal, shutdownTimeout } from './shutdown.ts'
import { assertSshOptions, startSsh } from './ssh.ts'
import { logUncaughtErrors } from './uncaught-errors.ts'
import { programVersion } from './version.ts'

const listenErrors: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port, host) =>
    `Port ${port} on ${host} is in use: choose another one, such as --port ${port < 65_535 ? port + 1 : port - 1}, or --port 0 for a free port`,
  EACCES: (port) => `Permission denied for port ${port}: choose one above 1023, such as --port 8080`,
  EADDRNOTAVAIL: (_, host) => `${host} is not an address of this machine: use --host 127.0.0.1 for local access`,
  ENOTFOUND: (_, host) => `The host ${host} was not found: use --host 127.0.0.1 for local access`,
}

const withListenErrors = async <T>(start: Promise<T>, port: number, host: string): Promise<T> => {
  try {
    return await start
  } catch (error) {
    const message = listenErrors[getErrorCode(error)]
    throw message ? new CliError(message(port, host)) : error
  }
}

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

const assertServeOptions = (options: ServeCommandOptions) => {
  const { demo, seed, control, controlToken, workers, registryUrl, trustedProxy = [], data, database } = options
  if (demo && seed !== undefined && seed !== 'demo') throw new UsageError('Use either --demo or --seed')
  if (controlToken !== undefined && !control) throw new UsageError('--control-token requires --control')
  if (control && workers > 1) throw new UsageError('Use either --control or --workers')
  if (control && registryUrl !== undefined) throw new UsageError('Use either --control or --registry-url')
  if (workers > 1 && data === ':memory:' && database === undefined) {
    throw new UsageError(`--workers ${workers} requires shared data: a data file or PostgreSQL`)
  }
  assertSshOptions(options)
  try {
    parseNetworks(trustedProxy)
  } catch (error) {
    throw new UsageError(`--trusted-proxy is invalid: ${messageOf(error)}`)
  }
}

/** The sign-in page lists the users of the demo data, whose tokens are public. */
const offerUsers = (users: readonly DemoUser[]): Middleware => {
  const signInUsers = Object.fromEntries(users.map(({ username, token }) => [username, token]))
  return (next) => (request) => next({ ...request, signInUsers })
}

const warn = (text: string) => process.stderr.write(`warning: ${text}\n`)

/** The options of the platform that do not depend on the data. */
const toPlatformOptions = ({ tier, pipelinesOnPush = false }: ServeCommandOptions) => ({ tier, pipelinesOnPush })

const hasUsers = async (platform: Platform): Promise<boolean> =>
  (await platform.as({ system: 'command line' }).users.list({ perPage: 1 })).items.length > 0

/** An unused name for the label of the example request. */
const unusedLabel = async (platform: Platform): Promise<string> => {
  const { items } = await platform.as({ system: 'command line' }).labels.list({ project: 'acme/web', perPage: 100 })
  const names = new Set(items.map(({ name }) => name.toLowerCase()))
  for (let count = 1; ; count++) {
    const name = count === 1 ? 'idea' : `idea-${count}`
    if (!names.has(name)) return name
  }
}

/** Serves until it receives a signal or, with `--exit-with-parent`, until the parent process ends. */
export const serveCommand = async ({ options, sourceOf }: Invocation<typeof serveOptions>): Promise<void> => {
  assertServeOptions(options)
  const { port, host, baseUrl, logLevel, logFormat, demo, database } = options
  const seedName = demo ? 'demo' : options.seed
  const { externalRegistry, discoverHourly, readNotificationSecret } = await import('./external-registry.ts')
  // The registry accepts tokens of this server, which has a platform only later.
  const tokenSource: RegistryTokenSource = {}
  const registry = externalRegistry(options, tokenSource)
  const mail = (await import('./smtp-options.ts')).toMail(options)
  const openid = (await import('./openid-options.ts')).toOpenid(options)
  // A worker receives the same arguments as the process that supervises it.
  const workers = options.workers > 1 ? await import('./workers.ts') : undefined
  const worker = workers?.assignment()
  const log = openLog(logLevel, { worker: worker?.number, format: logFormat })
  logUncaughtErrors(log)
  const stopReason = Promise.race([
    shutdownSignal(log.flush).then((signal) => ({ signal })),
    ...(worker && workers ? [workers.waitForStop()] : []),
    // A worker ends with the process that supervises it.
    ...(options.exitWithParent && !worker ? [parentEnd().then((reason) => ({ reason }))] : []),
  ])
  // Before the database: an invalid file is an error even if it is not needed, and must not leave an empty database behind.
  const seed =
    seedName === undefined || worker ? undefined : await (await import('./seed-file.ts')).readSeedFile(seedName)
  // Neither must a port that is taken.
  if (!worker) await withListenErrors(findFreePort(port, host), port, host)
  const named = seed && { seed, name: seedName as string }
  const isUnnamed = sourceOf('data') === 'default' && database === undefined
  const inMemory = options.control === true && (isUnnamed || options.data === ':memory:')
  const controlled = options.control
    ? await (await import('./controlled-platform.ts')).openControlledPlatform(options, inMemory, named)
    : undefined
  const { dataSource, openPlatform } = await import('./open-platform.ts')
  if (worker?.dataFile) assertSameDataFile(worker.dataFile)
  const { platform, location } =
    controlled ??
    (await openPlatform(options, {
      ...toPlatformOptions(options),
      ports: { pages: toPages(options), ...(registry && { registry }), ...(mail && { mail }) },
    }))
  tokenSource.platform = platform
  let stopDiscovery: (() => void) | undefined
  let ssh: RunningSshServer | undefined
  let sites: RunningSiteServer | undefined
  try {
    if (registry && (!workers || worker?.number === 1)) {
      stopDiscovery = await discoverHourly(platform, (error) =>
        log.error({ error: describeError(error) }, 'discovery of container repositories failed'),
      )
    }
    const seeded = controlled
      ? controlled.seeded
      : named && (await (await import('./seed-world.ts')).seedIfEmpty(platform, named.seed, named.name))
    const users = seedName === 'demo' ? await (await import('./demo-users.ts')).demoUsers(platform) : []
    // Fails at the start without the package, or without a key for secrets.
    if (options.registryTokens) await platform.as({ system: 'command line' }).registryTokens.getCertificate()
    const { serve } = await import('../server/serve.ts')
    const drainDelay = options.drainDelay * 1_000
    // A process that only supervises workers serves nothing itself.
    if (worker || !workers) {
      ssh = await startSsh(platform, options, log)
      sites = await startSites(platform, options, log)
    }
    const serverOptions: ServeOptions = {
      port: worker?.port ?? port,
      host,
      createdStatus: options.createdStatus === '201' ? 201 : 200,
      logger: log,
      rateLimits: options.rateLimits === 'on',
      drainDelay,
      version: programVersion(),
      pages: options.pages !== false,
      reference: options.reference !== false,
      ...(options.oauth && { oauth: true }),
      ...openid,
      ...(options.registryTokens && { registryTokens: true }),
      ...readNotificationSecret(options),
      ...(options.trustedProxy && { trustedProxies: options.trustedProxy }),
      ...(options.metricsToken !== undefined && { metricsToken: options.metricsToken }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(ssh && { sshPort: ssh.port }),
      ...(worker &&
        workers && {
          worker: String(worker.number),
          gatherMetrics: workers.gatherFromAll,
          socketClosed: workers.waitForClosedSocket,
        }),
      ...(users.length > 0 && { middleware: [offerUsers(users)] }),
      ...controlled?.serveOptions(sourceOf('rateLimits') === 'cli' && options.rateLimits === 'on'),
    }
    if (worker && workers) {
      const server = await serve(platform, serverOptions)
      workers.provideSnapshots(server.metrics)
      const { workerShutdownTimeout } = await import('./supervise.ts')
      await stopReason
      limitShutdown(drainDelay + workerShutdownTimeout, log)
      return await server.close()
    }
    const startPool = async () => {
      const { supervise } = await import('./supervise.ts')
      const { file } = dataSource(options)
      const dataFile = file === undefined ? undefined : identifyDataFile(file)
      return supervise({ count: options.workers, port, host, drainDelay, dataFile }, log)
    }
    const server = await withListenErrors(workers ? startPool() : serve(platform, serverOptions), port, host)
    const { startScreen, demoScreen, firstUserHint } = await import('./start-screen.ts')
    const { retainedOptions } = await import('./retained-options.ts')
    const start = {
      url: server.url,
      sshUrl: ssh?.url,
      sitesPort: sites?.port,
      baseUrl,
      location,
      seeded,
      seed: seedName,
    }
    const demoText = demo ? demoScreen(start, users, users.length ? await unusedLabel(platform) : '') : ''
    const isStored = !inMemory && (database !== undefined || options.data !== ':memory:')
    // The commands of the hint cannot open data in the memory of this process.
    const needsHint = isStored && !(await hasUsers(platform))
    const hint = needsHint ? firstUserHint(retainedOptions({ options, sourceOf })) : ''
    process.stdout.write(startScreen(start) + hint + (controlled?.screen(server.url) ?? '') + demoText)
    if (users.length && !isLoopback(host)) {
      warn(`the tokens of the demo data are public, and other machines can reach this server: --host ${host}`)
    }
    if (seeded && named && seedName !== 'demo' && isStored) {
      const { warnAboutGuessableTokens } = await import('./guessable-tokens.ts')
      warnAboutGuessableTokens([named.seed], location)
    }
    const writeError = platform.getWriteError()
    if (writeError) warn(`${location}: ${writeError.message}`)
    log.info(await stopReason, 'stopping')
    limitShutdown(drainDelay + shutdownTimeout, log)
    controlled?.endStreams()
    await server.close()
  } finally {
    stopDiscovery?.()
    await ssh?.close()
    await sites?.close()
    await platform.close()
    log.flush()
  }
}
