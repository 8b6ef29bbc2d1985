import { createPlatform, type Platform, type PlatformOptions, sqlite } from '@forgelet/core'
import { createControlPlane } from '../control/control-plane.ts'
import { type ControlledWorld, collectTokens, createControlledWorld } from '../control/controlled-world.ts'
import { openImage } from '../control/world-image.ts'
import type { ServeOptions } from '../server/serve.ts'
import { dataSource, openPlatform } from './open-platform.ts'
import type { ServeCommandOptions } from './options.ts'
import { type NamedSeed, seedIfEmpty } from './seed-world.ts'

interface OpenedWorld {
  readonly world: ControlledWorld
  readonly location: string
  /** Whether seed data was added; undefined if there was none to add. */
  readonly seeded: boolean | undefined
}

const host = (platform: Platform) => platform.as({ system: 'control plane' })

const openInMemory = async (options: PlatformOptions, named: NamedSeed | undefined): Promise<OpenedWorld> => {
  // Small pages keep snapshots small: test data has many tables with few rows.
  const initial = sqlite(':memory:', { durability: 'process', pageSize: 1_024 })
  const platform = createPlatform(initial, options)
  await platform.ready()
  // The receivers under test are on this machine. Seeds can change it.
  await host(platform).settings.update({ allowLocalRequestsFromWebHooksAndServices: true })
  const seeded = named && (await seedIfEmpty(platform, named.seed, named.name))
  const image = initial.serialize()
  // All copies of this world share the seeded repositories, so this platform is not closed.
  platform.ports.repositories.markShared()
  platform.ports.files.markShared()
  await initial.close()
  const world = await createControlledWorld({
    open: (previous) => openImage(image, previous),
    platform: options,
    host,
    tokens: named ? collectTokens(named.seed) : {},
  })
  return { world, location: 'memory', seeded }
}

const openPersistent = async (
  data: ServeCommandOptions,
  options: PlatformOptions,
  named: NamedSeed | undefined,
): Promise<OpenedWorld> => {
  // Copies and migrates the data; the world below opens it again.
  const { platform, location } = await openPlatform(data, options)
  const seeded = named && (await seedIfEmpty(platform, named.seed, named.name))
  await platform.close()
  const world = await createControlledWorld({
    open: async () => dataSource(data).open(),
    platform: { ...dataSource(data).platformOptions, ...options },
    host,
    tokens: named && seeded ? collectTokens(named.seed) : {},
    resettable: false,
  })
  return { world, location, seeded }
}

/** A platform with a control plane for test suites. */
export interface ControlledPlatform {
  readonly platform: Platform
  readonly location: string
  readonly seeded: boolean | undefined
  /** Jobs run when the test suite advances the clock, and rate limits are off unless requested. */
  serveOptions(rateLimits: boolean): Pick<ServeOptions, 'middleware' | 'controlPage' | 'jobInterval' | 'rateLimits'>
  /** The line of the start screen. */
  screen(url: string): string
  /** Must be called before the server closes, which waits for open event streams. */
  endStreams(): void
}

/**
 * Opens a platform for a test suite. Only data in memory can be reset or replaced.
 *
 * @throws CliError if the data cannot be opened or the seed data is invalid
 */
export async function openControlledPlatform(
  options: ServeCommandOptions,
  inMemory: boolean,
  named: NamedSeed | undefined,
): Promise<ControlledPlatform> {
  const { tier, pipelinesOnPush = false, controlToken, baseUrl } = options
  const platformOptions = { tier, pipelinesOnPush }
  const { world, location, seeded } = inMemory
    ? await openInMemory(platformOptions, named)
    : await openPersistent(options, platformOptions, named)
  let serverUrl = 'http://localhost'
  const plane = createControlPlane(world, {
    token: controlToken,
    baseUrl: () => baseUrl ?? serverUrl,
    reference: options.reference !== false,
  })
  return {
    platform: world.platform,
    location,
    seeded,
    serveOptions: (rateLimits) => ({
      middleware: [plane.middleware, ...world.middleware],
      controlPage: true,
      jobInterval: 0,
      rateLimits,
    }),
    screen(url) {
      serverUrl = url
      const access = controlToken === undefined ? 'for this machine only' : 'with the control token'
      return `control plane at ${url}/_forgelet, ${access}\n`
    },
    endStreams() {
      world.faults.clear()
      plane.close()
    },
  }
}
