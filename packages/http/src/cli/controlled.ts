import {
  createPlatform,
  type Platform,
  type PlatformOptions,
  type SqliteStore,
  type Store,
  sqlite,
} from '@forgelet/core'
import type { Seed } from '@forgelet/core/seed'
import { controlPlane } from '../control/control-plane.ts'
import { type ControlledWorld, controlledWorld, tokensOf } from '../control/controlled-world.ts'
import type { ServeOptions } from '../serve.ts'
import { openPlatform, openStore } from './open-platform.ts'
import { dataFlags } from './options.ts'
import { plantWhereEmpty } from './plant-world.ts'

interface DataFlags {
  readonly data: string
  readonly database: string | undefined
}

interface ServeFlags extends DataFlags {
  readonly baseUrl: string | undefined
  readonly tier: 'paid' | 'free'
  readonly controlToken: string | undefined
}

interface Planned {
  readonly seed: Seed
  /** What to call it. */
  readonly name: string
}

interface OpenedWorld {
  readonly world: ControlledWorld
  readonly where: string
  /** Whether the seed was planted just now; undefined where none was asked for. */
  readonly planted: boolean | undefined
}

/** Data that nobody named is kept in memory: that world can be reset, and nobody's file is. */
const isInMemory = ({ data, database }: DataFlags, written: ReadonlySet<string>) =>
  data === ':memory:' || (!written.has('data') && database === undefined && data === dataFlags.data.fallback)

const host = (platform: Platform) => platform.as({ system: 'control plane' })

const inMemory = async (options: PlatformOptions, plan: Planned | undefined): Promise<OpenedWorld> => {
  // Small pages make small snapshots: a world of a test has many tables and few rows.
  const first = sqlite(':memory:', { durability: 'process', pageSize: 1_024 })
  const platform = createPlatform(first, options)
  await platform.ready()
  const planted = plan && (await plantWhereEmpty(platform, plan.seed, plan.name))
  const image = first.serialize()
  // Repositories that the seed made belong to every copy of this world: the first platform stays open with them.
  platform.ports.repositories.share()
  await first.close()
  const openImage = (bytes: Buffer): Store => sqlite(bytes, { durability: 'process' })
  const world = await controlledWorld({
    open: async () => openImage(image),
    platform: options,
    host,
    tokens: plan ? tokensOf(plan.seed) : {},
    images: (store) => ({ save: () => (store as SqliteStore).serialize(), open: openImage }),
  })
  return { world, where: 'memory', planted }
}

/**
 * Opens a world for a test suite: in memory, unless the flags name a file or a database. Those are never reset or replaced.
 *
 * @throws Failure when the data cannot be opened or the seed is refused
 */
async function openWorld(
  flags: DataFlags,
  written: ReadonlySet<string>,
  options: PlatformOptions,
  plan: Planned | undefined,
): Promise<OpenedWorld> {
  if (isInMemory(flags, written)) return inMemory(options, plan)
  // Brings the schema up to date, with the copy that is made before that, and lets go again.
  const { platform, where } = await openPlatform(flags, written, options)
  const planted = plan && (await plantWhereEmpty(platform, plan.seed, plan.name))
  await platform.close()
  const world = await controlledWorld({
    open: async () => openStore(flags, written).open(),
    platform: { ...openStore(flags, written).options, ...options },
    host,
    tokens: plan && planted ? tokensOf(plan.seed) : {},
    resettable: false,
  })
  return { world, where, planted }
}

/** A platform in the hands of a test suite, and what `serve` needs for it. */
export interface Controlled {
  readonly platform: Platform
  readonly where: string
  readonly planted: boolean | undefined
  /** Nothing runs by itself: jobs wait for the clock to advance, and nobody is told to wait unless it was asked for. */
  serving(rateLimits: boolean): Pick<ServeOptions, 'layers' | 'jobInterval' | 'rateLimits'>
  /** The line of the start screen. */
  screen(url: string): string
  /** Before the server closes: an open stream of events would hold it up. */
  endStreams(): void
}

export async function openControlled(
  flags: ServeFlags,
  written: ReadonlySet<string>,
  plan: Planned | undefined,
): Promise<Controlled> {
  const { world, where, planted } = await openWorld(flags, written, { tier: flags.tier }, plan)
  let listensAt = 'http://localhost'
  const plane = controlPlane(world, { token: flags.controlToken, baseUrl: () => flags.baseUrl ?? listensAt })
  return {
    platform: world.platform,
    where,
    planted,
    serving: (rateLimits) => ({ layers: [plane.layer, ...world.layers], jobInterval: 0, rateLimits }),
    screen(url) {
      listensAt = url
      return `control plane at ${url}/_forgelet${flags.controlToken === undefined ? ', for this machine only' : ', for whoever shows its token'}\n`
    },
    endStreams() {
      world.faults.clear()
      plane.close()
    },
  }
}
