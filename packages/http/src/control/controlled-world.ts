import {
  type Clock,
  createPlatform,
  type Platform,
  PlatformError,
  type PlatformOptions,
  type Session,
  type SqliteStore,
  type Store,
} from '@forgelet/core'
import { type Seed, type SeedResult, seed } from '@forgelet/core/seed'
import type { Middleware } from '../app/middleware.ts'
import { createJournal } from './create-journal.ts'
import { createDomainEvents, type DomainEvents } from './domain-events.ts'
import { type Instant, parseInstant } from './duration.ts'
import { recordExchanges } from './exchange-recorder.ts'
import { createFaults, type Faults } from './faults.ts'
import type { Journal, JournalOptions } from './journal.ts'
import { createMailbox, type Mailbox } from './mailbox.ts'
import { createReplaceableStore } from './replaceable-store.ts'
import { rejectUnservedRequests, type UnservedRequestError } from './unserved.ts'
import { rejectUnsupportedParameters, type UnsupportedParametersError } from './unsupported.ts'
import { type ClockState, createWorldClock, type WorldClock } from './world-clock.ts'
import { isInMemory, openImage } from './world-image.ts'

/** The data, clock and tokens of a world. Any world of the same version can restore it. */
export interface Snapshot {
  /** The database as bytes. */
  readonly image: Buffer
  readonly clock: ClockState
  readonly tokens: Readonly<Record<string, string>>
}

/** Options of a controlled world. */
export interface ControlledWorldOptions {
  /** Opens a store with the initial data. Called at the start, and on each reset with the store to replace, which it may reuse. */
  readonly open: (previous?: Store) => Promise<Store>
  readonly platform?: PlatformOptions
  /** Creates the host session, which has all permissions. */
  readonly host: (platform: Platform) => Session
  /** Tokens of the initial data, by username. */
  readonly tokens?: Readonly<Record<string, string>>
  /** Whether `open` restores the initial data. Default true. */
  readonly resettable?: boolean
  /** Freezes the clock at this time. Default: the system time. */
  readonly time?: Instant
  /** The state of the clock, from a snapshot. */
  readonly clock?: ClockState
  readonly journal?: JournalOptions
  /** What happens to requests of routes that do not exist: a reply with 404, the default, or a cut connection. */
  readonly unserved?: 'reply' | 'fail'
  /** What happens to requests with documented parameters that have no effect: a reply, the default, or a cut connection. */
  readonly unsupported?: 'reply' | 'fail'
}

/** A platform with data, a clock, faults and a request journal under the control of tests. */
export interface ControlledWorld {
  /** Stays the same object when a snapshot is restored. */
  readonly platform: Platform
  /** The host session, which has all permissions. */
  readonly host: Session
  readonly clock: WorldClock
  readonly faults: Faults
  /** The received requests. */
  readonly journal: Journal
  /** The e-mails, unless the platform has its own port `mail`. */
  readonly mail: Mailbox
  /** Domain events, also those of other processes if the store delivers them. */
  readonly events: DomainEvents
  /** Tokens of the seed data, by username. */
  readonly tokens: Readonly<Record<string, string>>
  /** Requests of routes that do not exist, if they fail. */
  readonly unserved: readonly UnservedRequestError[]
  /** Requests with documented parameters that have no effect, if they fail. */
  readonly unsupported: readonly UnsupportedParametersError[]
  /** Middleware for the app: it records requests, injects faults and cuts requests as `unserved` and `unsupported` say. */
  readonly middleware: readonly Middleware[]
  /** Adds seed data in one transaction. */
  seed(data: Seed): Promise<SeedResult>
  /** Adds a token to `tokens`, unless the user has one. */
  registerToken(username: string, token: string): void
  /** Restores the initial data, tokens and clock, removes all faults, and empties the journal, `unserved` and `unsupported`. */
  reset(): Promise<void>
  /**
   * Takes a snapshot.
   *
   * @throws PlatformError `conflict` if the world is not stored in memory
   */
  snapshot(): Promise<Snapshot>
  /** Restores the data, tokens and clock of a snapshot, removes all faults, and empties the journal, `unserved` and `unsupported`. */
  restore(snapshot: Snapshot): Promise<void>
  /** Closes the platform. */
  close(): Promise<void>
}

/** The first token of each user of a seed, by username. */
export const collectTokens = ({ users = [] }: Seed): Record<string, string> =>
  Object.fromEntries(users.flatMap(({ username, tokens = [] }) => (tokens[0] ? [[username, tokens[0].secret]] : [])))

const createNotInMemoryError = (action: string) =>
  new PlatformError(
    'conflict',
    `A world that is not stored in memory cannot be ${action}: start it with its data in memory`,
  )

const assertSnapshot = (snapshot: Snapshot): void => {
  const { image, clock, tokens } = snapshot ?? {}
  if (ArrayBuffer.isView(image) && clock && tokens) return
  throw new TypeError('restore() requires the result of snapshot(): restore(await forge.snapshot())')
}

/** Creates a world that tests control. `createControlPlane` makes it available over HTTP. */
export async function createControlledWorld(options: ControlledWorldOptions): Promise<ControlledWorld> {
  const { open, resettable = true } = options
  let current = await open()
  const store = createReplaceableStore(current)
  const baseClock: Clock | undefined = options.platform?.ports?.clock
  const clock = createWorldClock(() => platform.jobs, baseClock)
  if (options.time !== undefined) clock.freeze(parseInstant(options.time, 'time'))
  if (options.clock) clock.restore(options.clock)
  const { mail, mailbox } = createMailbox(() => platform.jobs.drain())
  const platform = createPlatform(store, {
    ...options.platform,
    ports: { mail, ...options.platform?.ports, clock },
  })
  const initial = { clock: clock.state(), tokens: { ...options.tokens } }
  const tokens: Record<string, string> = { ...initial.tokens }
  const journal = createJournal(options.journal)
  const { faults, middleware: injectFaults } = createFaults(clock)
  const unserved: UnservedRequestError[] = []
  const unsupported: UnsupportedParametersError[] = []

  const switchTo = async (next: Store, state: Omit<Snapshot, 'image'>) => {
    if (next !== current) {
      current = next
      await store.replace(next)
    }
    clock.restore(state.clock)
    faults.clear()
    journal.clear()
    mailbox.clear()
    unserved.length = 0
    unsupported.length = 0
    for (const name of Object.keys(tokens)) delete tokens[name]
    Object.assign(tokens, state.tokens)
  }

  const getMemoryStore = (action: string): SqliteStore => {
    if (!isInMemory(current)) throw createNotInMemoryError(action)
    return current
  }

  return {
    platform,
    host: options.host(platform),
    clock,
    faults,
    journal,
    mail: mailbox,
    events: createDomainEvents(platform),
    tokens,
    unserved,
    unsupported,
    middleware: [
      ...(options.unserved === 'fail' ? [rejectUnservedRequests((error) => unserved.push(error))] : []),
      ...(options.unsupported === 'fail' ? [rejectUnsupportedParameters((error) => unsupported.push(error))] : []),
      recordExchanges(journal, clock),
      injectFaults,
    ],
    async seed(data) {
      const result = await seed(platform, data)
      Object.assign(tokens, collectTokens(data))
      return result
    },
    registerToken(username, token) {
      tokens[username] ??= token
    },
    async reset() {
      if (!resettable) throw createNotInMemoryError('reset')
      await switchTo(await open(current), initial)
    },
    async snapshot() {
      const saved = getMemoryStore('saved')
      await platform.ready()
      // `read` waits for open transactions. Afterwards two worlds refer to the same repositories.
      const image = await store.read(async () => saved.serialize())
      platform.ports.repositories.markShared()
      platform.ports.files.markShared()
      return { image, clock: clock.state(), tokens: { ...tokens } }
    },
    async restore(snapshot) {
      assertSnapshot(snapshot)
      await switchTo(await openImage(snapshot.image, getMemoryStore('restored')), snapshot)
    },
    close: () => platform.close(),
  }
}
