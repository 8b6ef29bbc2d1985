import {
  type Clock,
  createPlatform,
  type Platform,
  PlatformError,
  type PlatformOptions,
  type Session,
  type Store,
} from '@forgelet/core'
import { plant, type Seed, type SeedResult } from '@forgelet/core/seed'
import type { Layer } from '../app.ts'
import type { Instant } from './duration.ts'
import { exchangeable } from './exchangeable-store.ts'
import { type Faults, faultLayer } from './faults.ts'
import { type Journal, type JournalOptions, openJournal } from './journal.ts'
import { recording } from './recording.ts'
import { type ClockState, type WorldClock, worldClock } from './world-clock.ts'

/** A world as it stood: its data, its clock, its tokens. Any world of the same version can go to it. */
export interface Snapshot {
  /** The database as bytes. */
  readonly image: Buffer
  readonly clock: ClockState
  readonly tokens: Readonly<Record<string, string>>
}

/** How the data of a world becomes bytes and back, where it lives in memory. */
export interface Images {
  /** The data as it stands. */
  save(): Buffer
  /** A store of its own with the data of then. */
  open(image: Buffer): Store
}

/** What a world is made from. */
export interface ControlledWorldOptions {
  /** Opens the world that it starts with, and goes back to. */
  readonly open: () => Promise<Store>
  readonly platform?: PlatformOptions
  /** The session that may do everything. */
  readonly host: (platform: Platform) => Session
  /** Tokens of the world it starts with, by username. */
  readonly tokens?: Readonly<Record<string, string>>
  /** Bytes of a store; absent for worlds that do not live in memory: they can be reset, but not saved. */
  readonly images?: (store: Store) => Images | undefined
  /** False where nothing can bring the first world back. Default true. */
  readonly resettable?: boolean
  /** Its clock stands still at this instant. Default: it goes with the machine's. */
  readonly time?: Instant
  /** How its clock starts, from a snapshot. */
  readonly clock?: ClockState
  readonly journal?: JournalOptions
}

/** A platform in the hands of a test: its data, its time, its troubles and its memory of requests. */
export interface ControlledWorld {
  /** The platform that stands for as long as the world does, whatever its data is exchanged for. */
  readonly platform: Platform
  /** The session that may do everything. */
  readonly host: Session
  /** Its time. */
  readonly clock: WorldClock
  /** Its troubles. */
  readonly faults: Faults
  /** What was requested of it. */
  readonly journal: Journal
  /** Tokens by username, of what was seeded. */
  readonly tokens: Readonly<Record<string, string>>
  /** What an app needs around it: the journal, and inside it the faults. */
  readonly layers: readonly Layer[]
  /** Adds to the world: all of it or nothing. */
  seed(seed: Seed): Promise<SeedResult>
  /** Remembers a token as the one of its user, unless there is one. */
  introduce(username: string, token: string): void
  /** Back to the world it started with, with its clock, without faults, with an empty journal. */
  reset(): Promise<void>
  /**
   * The world as it stands.
   *
   * @throws PlatformError `conflict` when it does not live in memory
   */
  snapshot(): Promise<Snapshot>
  /** Goes to a world as it stood, with its clock, without faults, with an empty journal. */
  restore(snapshot: Snapshot): Promise<void>
  /** Closes the platform, and ends what waits for it. */
  close(): Promise<void>
}

/** The first token of each user of a seed, by username. */
export const tokensOf = ({ users = [] }: Seed): Record<string, string> =>
  Object.fromEntries(users.flatMap(({ username, tokens = [] }) => (tokens[0] ? [[username, tokens[0].secret]] : [])))

const elsewhere = (what: string) =>
  new PlatformError(
    'conflict',
    `A world that does not live in memory cannot be ${what}: start it with its data in memory`,
  )

/** Opens a world for a test or a server that is under control: `controlPlane(world)` puts it within reach of HTTP. */
export async function controlledWorld(options: ControlledWorldOptions): Promise<ControlledWorld> {
  const { open, resettable = true } = options
  let current = await open()
  const store = exchangeable(current)
  const machine: Clock | undefined = options.platform?.ports?.clock
  const clock = worldClock(() => platform.jobs, machine)
  if (options.time !== undefined) clock.freeze(options.time)
  if (options.clock) clock.restore(options.clock)
  const platform = createPlatform(store, {
    ...options.platform,
    ports: { ...options.platform?.ports, clock },
  })
  const first = { clock: clock.state(), tokens: { ...options.tokens } }
  const tokens: Record<string, string> = { ...first.tokens }
  const journal = openJournal(options.journal)
  const { faults, layer } = faultLayer(clock)

  const goTo = async (next: Store, { clock: state, tokens: known }: Omit<Snapshot, 'image'>) => {
    current = next
    await store.exchange(next)
    clock.restore(state)
    faults.clear()
    journal.clear()
    for (const name of Object.keys(tokens)) delete tokens[name]
    Object.assign(tokens, known)
  }

  const imagesOf = (what: string): Images => {
    const images = options.images?.(current)
    if (!images) throw elsewhere(what)
    return images
  }

  return {
    platform,
    host: options.host(platform),
    clock,
    faults,
    journal,
    tokens,
    layers: [recording(journal, clock), layer],
    async seed(seed) {
      const made = await plant(platform, seed)
      Object.assign(tokens, tokensOf(seed))
      return made
    },
    introduce(username, token) {
      tokens[username] ??= token
    },
    async reset() {
      if (!resettable) throw elsewhere('reset')
      await goTo(await open(), first)
    },
    async snapshot() {
      const images = imagesOf('saved')
      await platform.ready()
      // In its turn, so that no open transaction is in it; from here on two worlds know the same repositories.
      const image = await store.read(async () => images.save())
      platform.ports.repositories.share()
      return { image, clock: clock.state(), tokens: { ...tokens } }
    },
    restore: async (snapshot) => goTo(imagesOf('changed to another one').open(snapshot.image), snapshot),
    close: () => platform.close(),
  }
}
