import { isIP } from 'node:net'
import type { Platform } from '@forgelet/core'
import { networks } from '../forwarding.ts'
import type { ServeOptions } from '../serve.ts'
import { command } from './command.ts'
import { logDefects } from './defects.ts'
import { Failure, reasonOf } from './failure.ts'
import { openLog } from './log.ts'
import { serveFlags } from './options.ts'
import { shutdownSignal } from './shutdown.ts'
import { UsageError } from './usage-error.ts'
import { programVersion } from './version.ts'

const listenFaults: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port, host) =>
    `Port ${port} on ${host} is in use: choose another one, such as --port ${port < 65_535 ? port + 1 : port - 1}, or --port 0 for any free one`,
  EACCES: (port) => `Port ${port} is not open to you: choose one above 1023, such as --port 8080`,
  EADDRNOTAVAIL: (_, host) => `${host} is not an address of this machine: --host 127.0.0.1 is this machine only`,
  ENOTFOUND: (_, host) => `There is no host ${host}: --host 127.0.0.1 is this machine only`,
}

const listening = async <T>(start: Promise<T>, port: number, host: string): Promise<T> => {
  try {
    return await start
  } catch (error) {
    const fault = listenFaults[String((error as { code?: unknown }).code)]
    throw fault ? new Failure(fault(port, host)) : error
  }
}

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

const refuseOddNetworks = (given: readonly string[] | undefined) => {
  try {
    networks(given ?? [])
  } catch (error) {
    throw new UsageError(`--trusted-proxy must name addresses and networks: ${reasonOf(error)}`)
  }
}

const warn = (text: string) => process.stderr.write(`warning: ${text}\n`)

/** A name for the label of the example that nobody has taken yet. */
const freeLabel = async (platform: Platform): Promise<string> => {
  const { items } = await platform.as({ system: 'command line' }).labels.list({ project: 'acme/web', perPage: 100 })
  const taken = new Set(items.map(({ name }) => name.toLowerCase()))
  for (let count = 1; ; count++) {
    const name = count === 1 ? 'idea' : `idea-${count}`
    if (!taken.has(name)) return name
  }
}

/** `forgelet serve`: serves until it is told to stop. */
export const serveCommand = command({
  name: 'serve',
  says: 'serve a forge over HTTP',
  positionals: [],
  flags: serveFlags,
  examples: [
    'forgelet serve --demo',
    'forgelet serve --data ./forge.db --port 3000 --base-url https://forge.example',
    'forgelet serve --data ./test.db --seed world.yaml --port 0',
    'forgelet serve --control --demo --port 0',
  ],
  async run({ values, written }) {
    const { port, host, baseUrl, logLevel, demo } = values
    if (demo && values.seed !== undefined && values.seed !== 'demo')
      throw new UsageError('Give one of --demo and --seed')
    const seed = demo ? 'demo' : values.seed
    if (values.controlToken !== undefined && !values.control) throw new UsageError('--control-token needs --control')
    if (values.control && values.workers > 1) throw new UsageError('Give one of --control and --workers')
    if (values.control && values.registryUrl !== undefined) {
      throw new UsageError('Give one of --control and --registry-url')
    }
    refuseOddNetworks(values.trustedProxy)
    const { outsideRegistry, discoverHourly } = await import('./outside-registry.ts')
    const registry = outsideRegistry(values)
    // A worker is started with the arguments of the process that supervises it.
    const workers = values.workers > 1 ? await import('./workers.ts') : undefined
    if (workers && values.data === ':memory:' && !(values.database !== undefined && !written.has('data'))) {
      throw new UsageError('Several workers need data that they share: a data file or PostgreSQL')
    }
    const worker = workers?.assignment()
    const log = openLog(logLevel, worker?.number)
    logDefects(log)
    const stopped =
      worker && workers ? Promise.race([shutdownSignal(log.flush), workers.toldToStop()]) : shutdownSignal(log.flush)
    // A broken seed is told even when it is not needed, and leaves no empty database behind.
    const world = seed === undefined || worker ? undefined : await (await import('./seed-file.ts')).readSeedFile(seed)
    const controlled = values.control
      ? await (await import('./controlled.ts')).openControlled(
          values,
          written,
          world && { seed: world, name: seed as string },
        )
      : undefined
    const { openPlatform } = await import('./open-platform.ts')
    const { platform, where } =
      controlled ??
      (await openPlatform(values, written, {
        tier: values.tier,
        ...(registry && { ports: { registry } }),
      }))
    let endDiscovery: (() => void) | undefined
    try {
      // One process of several is enough.
      if (registry && (!workers || worker?.number === 1)) {
        endDiscovery = await discoverHourly(platform, (error) =>
          log.error({ error: reasonOf(error) }, 'not discovered'),
        )
      }
      const planted = controlled
        ? controlled.planted
        : world && (await (await import('./plant-world.ts')).plantWhereEmpty(platform, world, seed as string))
      const { serve } = await import('../serve.ts')
      const options: ServeOptions = {
        port: worker?.port ?? port,
        host,
        createdStatus: values.createdStatus === '201' ? 201 : 200,
        logger: log,
        rateLimits: values.rateLimits === 'on',
        drainDelay: values.drainDelay * 1_000,
        version: programVersion(),
        reference: !values.noReference,
        ...(values.trustedProxy && { trustedProxies: values.trustedProxy }),
        ...(values.metricsToken !== undefined && { metricsToken: values.metricsToken }),
        ...(baseUrl !== undefined && { baseUrl }),
        ...(workers && { gatherFigures: workers.gatherFromAll }),
        ...controlled?.serving(written.has('rateLimits') && values.rateLimits === 'on'),
      }
      if (worker && workers) {
        const serving = await serve(platform, options)
        workers.answerFigures(serving.figures)
        await stopped
        return await serving.close()
      }
      const together = async () => {
        const { supervise } = await import('./supervise.ts')
        return supervise({ count: values.workers, port, host, drainDelay: values.drainDelay * 1_000 }, log)
      }
      const serving = await listening(workers ? together() : serve(platform, options), port, host)
      const { startScreen, demoScreen } = await import('./screen.ts')
      const start = { url: serving.url, baseUrl, where, planted, seed }
      const cast = seed === 'demo' ? await (await import('./demo-cast.ts')).demoCast(platform) : []
      const howToPlay = demo ? demoScreen(start, cast, cast.length ? await freeLabel(platform) : '') : ''
      process.stdout.write(startScreen(start) + (controlled?.screen(serving.url) ?? '') + howToPlay)
      if (cast.length && !isLoopback(host)) {
        warn('everybody knows the tokens of the demo world, and this is open to other machines')
      }
      log.info({ signal: await stopped }, 'stopping')
      controlled?.endStreams()
      await serving.close()
    } finally {
      endDiscovery?.()
      await platform.close()
      log.flush()
    }
  },
})
