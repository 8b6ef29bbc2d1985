import { authenticate } from './access/authenticate.ts'
import { createContextFactory } from './context-factory.ts'
import type { Signals } from './contract/signals.ts'
import { createExecutor } from './executor.ts'
import { features, jobs } from './features.ts'
import type { Identity } from './kernel/actor.ts'
import {
  assertChoice,
  assertFunction,
  assertIdentity,
  assertOptions,
  assertSignal,
  assertStore,
  optionNames,
} from './kernel/assert-arguments.ts'
import { createAtomicGuard } from './kernel/atomic-guard.ts'
import type { Call } from './kernel/call.ts'
import { PlatformError } from './kernel/errors.ts'
import { readHealth } from './kernel/health.ts'
import { findNextDueTime, findNextEffectiveTime, listQueuedJobs } from './kernel/jobs/inspection.ts'
import { createJobRunner } from './kernel/jobs/runner.ts'
import type { ListenerErrorHandler } from './kernel/notify.ts'
import { readStorageState } from './kernel/storage-state.ts'
import { joinTransaction, type Store } from './kernel/store.ts'
import { createListeners, type EmittedSignal, type Listener, type Listeners } from './listeners.ts'
import type { HostStatement, JobStartOptions, Platform } from './platform-interface.ts'
import { createIsoClock } from './ports/clock.ts'
import { withDefaults } from './ports/defaults.ts'
import { noMail } from './ports/mail.ts'
import type { Ports } from './ports/ports.ts'
import { openResourcePorts, type ResourcePorts } from './ports/resource-ports.ts'
import type { SecretKeys } from './ports/secrets.ts'
import type { JoinedTransaction } from './seed/archive/archive-platform.ts'
import { createSession, type Session } from './session.ts'

export type { HostStatement, JobStartOptions, Platform } from './platform-interface.ts'
export type { Session } from './session.ts'

/** Options of a platform. All are optional. */
export interface PlatformOptions {
  /** The identity of calls made on the platform itself, for single-user hosts. Default: anonymous. */
  readonly identity?: Identity
  /** The licensed tier. On `free`, paid operations are rejected with `not_licensed`. Default: `paid`. */
  readonly tier?: 'paid' | 'free'
  /**
   * The GitLab version that `instance.getVersion` reports, as three numbers. Clients enable features by it. Default: `15.11.0`, the
   * newest version with all its features of this kind in the platform.
   */
  readonly apiVersion?: string
  /**
   * Whether pushes create pipelines from the pipeline file of the pushed commit, and merge request pipelines. Default: false. The
   * platform executes no jobs: such pipelines stay pending until the host reports results.
   */
  readonly pipelinesOnPush?: boolean
  /**
   * How much work the hash of a password takes: scrypt with N = 2 to the power of this, from 10 to 20. The default 15 takes 0.3 s
   * and 32 MiB, as OWASP recommends. Fake forges use 10, which takes 10 ms. A stored password keeps its cost.
   */
  readonly passwordCost?: number
  /**
   * The key that encrypts stored secrets. With several keys, the first encrypts and all decrypt: add a new key in front to
   * rotate. Default: the key file beside the database file. PostgreSQL has no default: without this option, storing a
   * secret fails.
   */
  readonly secretKey?: SecretKeys
  /**
   * The folder of the projects' repositories. Default: `<data file>.repositories` beside the data file; for a database
   * without a file, a temporary folder that is deleted when the platform closes.
   */
  readonly repositories?: string
  /**
   * The folder of uploaded files. Default: `<data file>.files` beside the data file; for a database without a file, they are in
   * memory until the platform closes. For other places, use `ports.files`.
   */
  readonly files?: string
  /** Implementations of ports that replace the built-in ones. */
  readonly ports?: Partial<Ports>
  /**
   * Receives the errors of listeners with the name of the signal. The operation that emitted the signal is not affected.
   * With `postgres(url, { events })`, it also receives the errors of the delivery, with the name `events`: lost connections,
   * and events that were deleted before they were delivered. Default: a process warning (`process.on('warning')`).
   */
  readonly onListenerError?: ListenerErrorHandler
}

/** The names of all options of `createPlatform`. */
export const platformOptions: readonly string[] = optionNames<PlatformOptions>({
  identity: true,
  tier: true,
  apiVersion: true,
  pipelinesOnPush: true,
  passwordCost: true,
  secretKey: true,
  repositories: true,
  files: true,
  ports: true,
  onListenerError: true,
})

const portNames = optionNames<Ports>({
  clock: true,
  random: true,
  markdown: true,
  git: true,
  repositories: true,
  files: true,
  secrets: true,
  registry: true,
  dns: true,
  http: true,
  mail: true,
  pages: true,
  certificates: true,
  spamFilter: true,
  templates: true,
})

const jobStartOptions = optionNames<JobStartOptions>({ interval: true, onError: true, onRecovery: true })

/**
 * Creates a forge over a store: `createPlatform(sqlite('forge.db'))`. Calls on it are anonymous unless `identity` is set.
 *
 * @example
 * ```ts
 * import { createPlatform, sqlite } from '@forgelet/core'
 *
 * const platform = createPlatform(sqlite(':memory:'))
 * await platform.as({ system: 'setup' }).users.create({ username: 'ada' })
 * const ada = platform.as({ user: 'ada' })
 * await ada.projects.create({ path: 'web', name: 'Web', visibility: 'public' })
 * await ada.labels.create({ project: 'ada/web', name: 'bug', color: 'red' })
 * const { items } = await platform.labels.list({ project: 'ada/web' })
 * console.log(items.map(({ name }) => name).join()) // → bug
 * await platform.close()
 * ```
 */
export function createPlatform(store: Store, options: PlatformOptions = {}): Platform {
  assertStore(store)
  assertOptions('createPlatform', options, platformOptions)
  assertOptions('ports', options.ports ?? {}, portNames)
  assertChoice('tier', options.tier, ['paid', 'free'])
  const listeners = createListeners(options.onListenerError)
  const { ports, close } = openResourcePorts(options.ports ?? {}, {
    repositories: options.repositories,
    files: options.files,
    databaseFile: store.filePath,
  })
  return buildPlatform({
    store,
    options: { ...options, ports: { ...options.ports, ...ports } },
    listeners,
    // A feed delivers the events of this platform too, in the order in which all processes receive them.
    publish: store.events ? () => undefined : listeners.publish,
    release: close,
  })
}

interface PlatformParts {
  readonly store: Store
  readonly options: PlatformOptions & { readonly ports: Partial<Ports> & ResourcePorts }
  readonly listeners: Listeners
  /** Receives the signals of each committed call. */
  readonly publish: (signals: readonly EmittedSignal[]) => void
  /** Whether calls are recorded as audit events. Default: on the paid tier. */
  readonly isAudited?: boolean
  /** Closes what was opened for the store. */
  readonly release?: () => Promise<void>
}

function buildPlatform(parts: PlatformParts): Platform {
  const { store, options, listeners, publish, release = async () => undefined } = parts
  const ports = withDefaults(options.ports, { secretKey: options.secretKey, keyStore: store.keyStore })
  const { tier = 'paid', apiVersion = '15.11.0', pipelinesOnPush = false, passwordCost = 15 } = options
  const { isAudited = tier === 'paid' } = parts
  if (!/^\d+\.\d+\.\d+$/.test(apiVersion)) throw new TypeError(`apiVersion must be like '15.11.0', not '${apiVersion}'`)
  if (!Number.isInteger(passwordCost) || passwordCost < 10 || passwordCost > 20)
    throw new TypeError(`passwordCost must be an integer from 10 to 20, not ${passwordCost}`)
  const now = createIsoClock(ports.clock)

  let isMigrated = false
  const migrate = async () => {
    await store.migrate()
    await store.events?.start(listeners.consumer)
    isMigrated = true
  }
  const ready = () => (isMigrated ? undefined : migrate())
  const createContext = createContextFactory({ ports, tier, apiVersion, pipelinesOnPush, passwordCost })
  const executor = createExecutor({ store, tier, now, ready, createContext, publish, isAudited })

  const guard = createAtomicGuard()
  let closed: Promise<void> | undefined
  const session = (identity: Identity, call: Call = {}): Session => {
    assertIdentity(identity)
    return createSession(features, (operation, input, family) => {
      const error = closed ? new PlatformError('unavailable', 'The platform is closed') : guard.check()
      return error ? Promise.reject(error) : executor.run({ identity, call, operation, family, input })
    }) as Session
  }

  const transactionsOfJobs = (call: Call) => executor.transactions({ kind: 'system', reason: 'job' }, call)

  const inTransaction = async <T>(
    work: (joined: JoinedTransaction & { readonly sql: HostStatement }) => Promise<T>,
  ): Promise<T> => {
    const error = guard.check()
    if (error) throw error
    await ready()
    let signals: EmittedSignal[] = []
    const result = await store.writeAlone((handle) => {
      signals = []
      const joined = joinTransaction(handle)
      const collect = (emitted: readonly EmittedSignal[]) => void signals.push(...emitted)
      const join = (joinedPorts: Ports, isAudited?: boolean) =>
        buildPlatform({
          store: joined,
          options: { ...options, ports: joinedPorts },
          listeners,
          publish: collect,
          ...(isAudited !== undefined && { isAudited }),
        })
      const { transactions } = createExecutor({
        store: joined,
        tier,
        now,
        ready,
        createContext,
        publish: collect,
        isAudited: false,
      })
      return guard.run(() =>
        work({
          platform: join(ports),
          // No user is notified of what happened in the past, and no audit event records it.
          at: (time) =>
            join({ ...ports, mail: noMail, ...(time !== undefined && { clock: { now: () => time } }) }, false),
          write: (step) => transactions({ kind: 'system', reason: 'job' }, {}).write(step),
          sql: async (text, parameters = []) => handle.run(text, parameters),
        }),
      )
    })
    publish(signals)
    return result
  }

  const atomic: Platform['atomic'] = async (work) => {
    assertFunction('atomic(async (platform) => …)', work)
    return inTransaction(({ platform, at, sql }) => work(platform, at, sql))
  }

  const runner = createJobRunner({
    store,
    jobs,
    now,
    createContext: (call) => ({
      now: now(),
      ports,
      ...transactionsOfJobs(call),
      // Loaded with the first archive, because most processes never need it.
      openArchiveSeeds: async () =>
        (await import('./seed/archive/archive-seeds.ts')).createArchiveSeeds({ as: session, inTransaction }),
    }),
  })

  return Object.assign(session(options.identity ?? null), {
    as: session,
    atomic,
    ports,
    ready: async () => ready(),
    on<N extends keyof Signals>(signal: N, listener: Listener<N>) {
      assertSignal(signal)
      assertFunction(`on('${signal}', …)`, listener)
      return listeners.add(signal, listener)
    },
    async authenticate(token: string | { readonly scim: string }) {
      const identity = typeof token === 'string' ? { token } : { scim: token.scim }
      await ready()
      await store.read(async (handle) => authenticate(handle, identity, now()))
      return session(identity)
    },
    jobs: {
      async drain(isDone?: () => boolean) {
        await ready()
        return runner.drain(isDone)
      },
      start(options: JobStartOptions = {}) {
        assertOptions('jobs.start', options, jobStartOptions)
        const { interval = 1_000, onError, onRecovery } = options
        return runner.start(interval, (error) => onError?.(error), onRecovery)
      },
      async next(options: { readonly skipIdle?: boolean } = {}) {
        assertOptions('jobs.next', options, ['skipIdle'])
        const { skipIdle = false } = options
        await ready()
        if (skipIdle) return findNextEffectiveTime(store, jobs, { now: now(), ports })
        return findNextDueTime(
          store,
          jobs.map(({ kind }) => kind),
        )
      },
      async list(limit = 100) {
        await ready()
        return listQueuedJobs(store, limit)
      },
    },
    health: () => readHealth(store, now(), jobs),
    async readStorage() {
      await ready()
      return readStorageState(store, ports.repositories.directoryOf)
    },
    getWriteError: () => store.getWriteError?.(),
    close() {
      closed ??= runner
        .close()
        .then(executor.settle)
        .then(() => store.close())
        .finally(release)
      return closed
    },
  })
}
