import { isIP } from 'node:net'
import type { Platform } from '@forgelet/core'
import type { Serving } from '../serve.ts'
import { command } from './command.ts'
import { logDefects } from './defects.ts'
import { Failure } from './failure.ts'
import { openLog } from './log.ts'
import { serveFlags } from './options.ts'
import { shutdownSignal } from './shutdown.ts'
import { UsageError } from './usage-error.ts'

const listenFaults: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port, host) =>
    `Port ${port} on ${host} is in use: choose another one, such as --port ${port < 65_535 ? port + 1 : port - 1}, or --port 0 for any free one`,
  EACCES: (port) => `Port ${port} is not open to you: choose one above 1023, such as --port 8080`,
  EADDRNOTAVAIL: (_, host) => `${host} is not an address of this machine: --host 127.0.0.1 is this machine only`,
  ENOTFOUND: (_, host) => `There is no host ${host}: --host 127.0.0.1 is this machine only`,
}

const listening = async (start: Promise<Serving>, port: number, host: string): Promise<Serving> => {
  try {
    return await start
  } catch (error) {
    const fault = listenFaults[String((error as { code?: unknown }).code)]
    throw fault ? new Failure(fault(port, host)) : error
  }
}

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

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
  ],
  async run({ values, written }) {
    const { port, host, baseUrl, logLevel, demo } = values
    if (demo && values.seed !== undefined && values.seed !== 'demo')
      throw new UsageError('Give one of --demo and --seed')
    const seed = demo ? 'demo' : values.seed
    const log = openLog(logLevel)
    logDefects(log)
    const stopped = shutdownSignal(log.flush)
    // A broken seed is told even when it is not needed, and leaves no empty database behind.
    const world = seed === undefined ? undefined : await (await import('./seed-file.ts')).readSeedFile(seed)
    const { openPlatform } = await import('./open-platform.ts')
    const { platform, where } = await openPlatform(values, written, { tier: values.tier })
    try {
      const planted =
        world && (await (await import('./plant-world.ts')).plantWhereEmpty(platform, world, seed as string))
      const { serve } = await import('../serve.ts')
      const created = values.createdStatus === '201' ? 201 : 200
      const options = {
        port,
        host,
        createdStatus: created,
        logger: log,
        ...(baseUrl !== undefined && { baseUrl }),
      } as const
      const serving = await listening(serve(platform, options), port, host)
      const { startScreen, demoScreen } = await import('./screen.ts')
      const start = { url: serving.url, baseUrl, where, planted, seed }
      const cast = seed === 'demo' ? await (await import('./demo-cast.ts')).demoCast(platform) : []
      const howToPlay = demo ? demoScreen(start, cast, cast.length ? await freeLabel(platform) : '') : ''
      process.stdout.write(startScreen(start) + howToPlay)
      if (cast.length && !isLoopback(host)) {
        warn('everybody knows the tokens of the demo world, and this is open to other machines')
      }
      log.info({ signal: await stopped }, 'stopping')
      await serving.close()
    } finally {
      await platform.close()
      log.flush()
    }
  },
})
