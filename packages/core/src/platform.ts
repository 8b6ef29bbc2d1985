import { standing } from './features/accounts/standing.ts'
import { features, jobs, reactions } from './features.ts'
import { type Actor, type Identity, nobody } from './kernel/actor.ts'
import type { Call } from './kernel/call.ts'
import type { Context } from './kernel/context.ts'
import { forbidden, invalidInput, notFound, PlatformError } from './kernel/errors.ts'
import { hear, type ListenerFailure } from './kernel/hearing.ts'
import { drain, enqueue } from './kernel/job-queue.ts'
import { type Memory, memoryOf, type Remembered } from './kernel/memory.ts'
import type { Operation } from './kernel/operation.ts'
import { completed, type Outside, type Steps } from './kernel/outside.ts'
import { nextDue, type QueuedJob, queuedJobs } from './kernel/queued-jobs.ts'
import { take } from './kernel/rate-limit.ts'
import { readInput } from './kernel/read-input.ts'
import { openedBy } from './kernel/scopes.ts'
import { after, type Handle, joined, type Row, type Soon, type Store } from './kernel/store.ts'
import { countJobs, type Vitals } from './kernel/vitals.ts'
import { policy, type Rule, type Subjects, subjectNames, visible } from './policy.ts'
import { withDefaults } from './ports/defaults.ts'
import type { Ports } from './ports/ports.ts'
import { openRepositoryPorts, type RepositoryPorts } from './ports/repository-ports.ts'
import type { SecretKeys } from './ports/secrets.ts'
import { bind, type Features } from './session.ts'
import type { Reaction, Signals } from './signals.ts'

/** How a platform behaves; all of it may be left out. */
export interface PlatformOptions {
  /** Who calls are made as when nobody is named: for single-user hosts. Default: nobody. */
  readonly identity?: Identity
  /** Which licensed tier it runs as. On `free`, paid operations are refused. Default: `paid`. */
  readonly tier?: 'paid' | 'free'
  /**
   * Under which stored secrets are encrypted. Of several keys the first one seals and all of them open, which is how a key
   * is replaced. Default: the key that lies beside the database file; PostgreSQL has none, so there nothing secret can be
   * stored without this.
   */
  readonly secretKey?: SecretKeys
  /**
   * The folder of the projects' repositories. Default: `<data file>.repositories`, beside the data file; where there is none,
   * a temporary folder that ends with the platform.
   */
  readonly repositories?: string
  /** What stands for the world outside: those given replace the embedded ones. */
  readonly ports?: Partial<Ports>
  /**
   * Hears of listeners that failed, with what they threw and the name of the fact. Neither undoes the fact. Default: the
   * process warns (`process.on('warning')`).
   */
  readonly onListenerError?: ListenerFailure
}

/** Everything one caller can do. */
export interface Session extends Features {
  /** Runs any operation; for adapters. The input is checked like any other. */
  run<In, Out>(operation: Operation<In, Out>, input: In): Promise<Out>
}

/**
 * Runs one statement of the host in the transaction that is open. Parameters stand in it as `?` on SQLite and as `$1` on
 * PostgreSQL. Rows have camelCase names (`order_id` becomes `orderId`); columns that were declared as boolean or json are read as
 * such, and whole numbers of any size as numbers.
 */
export type HostStatement = (text: string, parameters?: readonly unknown[]) => Promise<readonly Row[]>

export interface Platform extends Session {
  /** A session of somebody: cheap to make, to be made for each request. Adapters add what they know of the request. */
  as(who: Identity, call?: Call): Session
  /**
   * A session of whoever a token belongs to: a personal access token, or a SCIM token as `{ scim: token }`.
   *
   * @throws PlatformError `unauthenticated` when the token is unknown, expired or revoked
   */
  authenticate(token: string | { readonly scim: string }): Promise<Session>
  /**
   * Listens to a fact, after the commit that made it true: to facts in the order in which they were stated, beside listeners
   * that began before. Nobody waits for it; what it throws goes to `onListenerError`. Only facts of calls to this platform are
   * told, not those of other processes on the same database.
   *
   * @returns the call that ends listening; calling it again changes nothing
   */
  on<N extends keyof Signals>(fact: N, listener: (fact: Signals[N]) => void | Promise<void>): () => void
  /** Opens the database and brings its schema up to date. Every call waits for it; calling it shows errors early. */
  ready(): Promise<void>
  /**
   * Several calls as one transaction: all or nothing. Inside, await only calls of the platform that is handed over; on
   * PostgreSQL the work may run again after a race with another process. `at` gives the same platform with its clock
   * standing at a time in milliseconds. `sql` runs a statement of the host in the same transaction, for tables of its own.
   */
  atomic<T>(work: (platform: Platform, at: (now: number) => Platform, sql: HostStatement) => Promise<T>): Promise<T>
  /** The work that calls left for later. `serve` runs what is due by itself; a host without it calls `drain`. */
  readonly jobs: {
    /** Runs everything that is due and returns how many jobs ran. */
    drain(): Promise<number>
    /** When the next job falls due, ISO 8601; undefined when none waits. Daily ones wait from the first `drain` on. */
    next(): Promise<string | undefined>
    /** What is in the queue, those that fall due first at the front. At most 100 unless `limit` says otherwise. */
    list(limit?: number): Promise<readonly QueuedJob[]>
  }
  /** How the database and the jobs are. Changes nothing and needs no migrated schema; fails where the database cannot be reached. */
  vitals(): Promise<Vitals>
  /** What the platform asks of the world outside, the embedded defaults included. */
  readonly ports: Ports
  /** Closes the store. Calling it again changes nothing. */
  close(): Promise<void>
}

/** What a call has stated so far, and what it has changed of all that is remembered. */
interface Effects {
  readonly facts: Fact[]
  changed: Set<Remembered<unknown>> | undefined
}

type Fact = { readonly [N in keyof Signals]: { readonly name: N; readonly fact: Signals[N] } }[keyof Signals]

const reactionsTo = Map.groupBy(reactions, ({ to }) => to)

/** One after another: a later one may build on what an earlier one wrote. */
const react = async (own: readonly Reaction[], ctx: Context, fact: Signals[keyof Signals]) => {
  for (const reaction of own) await reaction.run(ctx, fact as never)
}

const noEffects = (): Effects => ({ facts: [], changed: undefined })

const ruleOf = (kind: keyof Subjects, ability: string): Rule<unknown> =>
  (policy[kind] as unknown as Record<string, Rule<unknown>>)[ability] as Rule<unknown>

const refuseNobody = ({ kinds, can }: Operation) => {
  if (!kinds.some((kind) => ruleOf(kind, can).anonymous)) throw new PlatformError('unauthenticated', 'Sign in first')
}

const refuseNarrowToken = (actor: Actor, operation: Operation) => {
  if (actor.kind === 'scim' && !operation.kinds.includes('scimGroup')) {
    throw forbidden('A SCIM token opens nothing but SCIM')
  }
  if (actor.kind !== 'user' || actor.scopes === null) return
  // What nearly every token has opens everything.
  if (actor.scopes.includes('api')) return
  const enough = openedBy(operation)
  if (enough.some((scope) => actor.scopes?.includes(scope))) return
  throw new PlatformError('insufficient_scope', 'The token does not open this operation', { scopes: enough })
}

const authorize = (actor: Actor, operation: Operation, subject: Subjects[keyof Subjects]) => {
  const { kind } = subject
  if (!(visible[kind] as Rule<unknown>).holds(actor, subject)) throw notFound(subjectNames[kind])
  const rule = ruleOf(kind, operation.can)
  if (rule.holds(actor, subject)) return
  throw actor.kind === 'nobody'
    ? new PlatformError('unauthenticated', 'Sign in first')
    : forbidden(`Only for ${rule.says}`)
}

/**
 * A forge over a store: `createPlatform(sqlite('forge.db'))`. It is itself a session – of nobody, unless `identity` says
 * otherwise – so that nothing is open by accident.
 */
export function createPlatform(store: Store, options: PlatformOptions = {}): Platform {
  const listeners: Listeners = new Map()
  /** Tells the host what became true. A listener that fails cannot undo it. */
  const tell = (facts: readonly Fact[]) => {
    for (const { name, fact } of facts) {
      for (const listener of listeners.get(name) ?? []) {
        hear(name, () => listener(fact as never), options.onListenerError)
      }
    }
  }
  const { ports, close } = openRepositoryPorts(options.ports ?? {}, { folder: options.repositories, file: store.file })
  const whole = { ...options, ports: { ...options.ports, ...ports } }
  return platformOver(store, whole, listeners, tell, memoryOf(), close)
}

/** All of it, with what may be absent. */
type Whole<T> = { [K in keyof Required<T>]: T[K] }

/** What is done once it is known who calls, what about, and that they may. */
type Approached<T> = (ctx: Context, subject: Subjects[keyof Subjects]) => Soon<T>

type Listeners = Map<keyof Signals, Set<(fact: never) => void | Promise<void>>>

function platformOver(
  store: Store,
  options: PlatformOptions & { readonly ports: Partial<Ports> & RepositoryPorts },
  listeners: Listeners,
  tell: (facts: readonly Fact[]) => void,
  memory: Memory,
  release: () => Promise<void> = async () => undefined,
): Platform {
  const ports = withDefaults(options.ports, { secretKey: options.secretKey, kept: store.kept })
  const tier = options.tier ?? 'paid'
  let lastInstant = Number.NaN
  let lastWritten = ''
  const now = () => {
    const instant = ports.clock.now()
    if (instant !== lastInstant) {
      lastInstant = instant
      lastWritten = new Date(instant).toISOString()
    }
    return lastWritten
  }

  let isReady = false
  const ready = async () => {
    if (isReady) return
    await store.migrate()
    isReady = true
  }

  const contextOf = (handle: Handle, actor: Actor, call: Call, at: string, effects: Effects): Context => {
    const { dialect, wording, db, run, insert, remembered, epoch } = handle
    // Written out: every call makes one, and what is spread first is made again with each property that follows.
    const ctx: Context & Whole<Handle> = {
      dialect,
      wording,
      db,
      run,
      insert,
      remembered,
      epoch,
      actor,
      call,
      now: at,
      ports,
      tier,
      emit(name, fact) {
        effects.facts.push({ name, fact } as Fact)
        const own = reactionsTo.get(name)
        return own && react(own, ctx, fact)
      },
      recall: (of) => memory.recall(handle, effects.changed, of),
      forget(of) {
        effects.changed ??= new Set()
        effects.changed.add(of)
      },
      enqueue: (kind, payload, given) => enqueue(handle, at, kind, payload, given),
    }
    return ctx
  }

  /** After the commit. */
  const settle = ({ facts, changed }: Effects) => {
    memory.forget(changed)
    tell(facts)
  }

  const stepsOf = (actor: Actor, call: Call, at: string): Steps => ({
    read: (work) => store.read((handle) => work(contextOf(handle, actor, call, at, noEffects()))),
    async write(work) {
      let effects = noEffects()
      const result = await store.write((handle) => {
        effects = noEffects()
        return work(contextOf(handle, actor, call, at, effects))
      })
      settle(effects)
      return result
    },
  })

  /**
   * The one path of every call. Order of checks: credential (401) → scope and tier (403) → input (400) → subject (404) →
   * permission (403) → state (409, 422).
   */
  const run = async <Out>(who: Identity, call: Call, operation: Operation, given: unknown): Promise<Out> => {
    if (!isReady) await ready()
    if (who === null) refuseNobody(operation)
    const at = now()
    const read = readInput(operation, given)
    const admit = (actor: Actor) => {
      call.witness?.actor?.(actor)
      if (actor.kind === 'nobody') refuseNobody(operation)
      refuseNarrowToken(actor, operation)
      if (operation.tier === 'paid' && tier === 'free') {
        throw new PlatformError('not_licensed', 'This needs a licensed tier')
      }
      if (read.problems) throw invalidInput(read.problems)
    }
    // A call that cannot succeed never takes the write lock.
    if (read.problems) return store.read(async (handle) => admit(await standing(handle, who, at))) as never
    const { input } = read
    let effects: Effects | undefined
    let admitted: Actor = nobody
    const approach = <T>(handle: Handle, work: Approached<T>): Soon<T> =>
      after(standing(handle, who, at), (actor) => {
        admit(actor)
        admitted = actor
        effects = noEffects()
        const ctx = contextOf(handle, actor, call, at, effects)
        return after(operation.load(ctx, input), (subject) => {
          authorize(actor, operation, subject)
          return work(ctx, subject)
        })
      })
    if (operation.limit && call.limited) {
      const { limit } = operation
      const counting: Approached<{ limit: number; key: string }> = async (ctx, subject) => ({
        limit: await limit.times(ctx),
        key: limit.by(ctx, input, subject),
      })
      const counted = await store.read((handle) => approach(handle, counting))
      if (counted.limit > 0) await count(call, at, { ...counted, name: limit.name, message: limit.message })
    }
    const act: Approached<Out | Outside<Out>> = (ctx, subject) => operation.run(ctx, input, subject)
    const work = (handle: Handle) => approach(handle, act)
    const result = operation.mode === 'query' ? await store.read(work) : await store.write(work)
    if (effects) settle(effects)
    return completed<Out>(result, () => stepsOf(admitted, call, at))
  }

  /** In a transaction of its own, before the operation: also the calls that fail are counted. */
  const count = async (call: Call, at: string, limit: Parameters<typeof take>[1]) => {
    const { state, refusal } = await store.write(({ db }) => take({ db, now: at }, limit))
    call.witness?.limit?.(state)
    if (refusal) throw refusal
  }

  const session = (who: Identity, call: Call = {}): Session =>
    bind(features, (operation: Operation, input: unknown) => run(who, call, operation, input)) as Session

  const asHost = <T>(work: (ctx: Context) => Promise<T>): Promise<T> =>
    stepsOf({ kind: 'system', reason: 'job' }, {}, now()).write(work)

  let closed: Promise<void> | undefined
  return Object.assign(session(options.identity ?? null), {
    as: session,
    async authenticate(token: string | { readonly scim: string }) {
      const who = typeof token === 'string' ? { token } : { scim: token.scim }
      await ready()
      await store.read(async (handle) => standing(handle, who, now()))
      return session(who)
    },
    on<N extends keyof Signals>(name: N, listener: (fact: Signals[N]) => void | Promise<void>) {
      const known = listeners.get(name) ?? new Set()
      // One of its own for each time, so that a function that listens twice can end each by itself.
      const mine = (fact: Signals[N]) => listener(fact)
      known.add(mine)
      listeners.set(name, known)
      return () => void known.delete(mine)
    },
    ready,
    async atomic<T>(work: (platform: Platform, at: (now: number) => Platform, sql: HostStatement) => Promise<T>) {
      await ready()
      let facts: Fact[] = []
      let inside = memoryOf()
      const result = await store.write((handle) => {
        facts = []
        inside = memoryOf()
        const over = (given: Ports) =>
          platformOver(
            joined(handle),
            { ...options, ports: given },
            listeners,
            (stated) => void facts.push(...stated),
            inside,
          )
        return work(
          over(ports),
          (time) => over({ ...ports, clock: { now: () => time } }),
          async (text, parameters = []) => handle.run(text, parameters),
        )
      })
      memory.forget(inside.forgotten)
      tell(facts)
      return result
    },
    jobs: {
      async drain() {
        await ready()
        return drain(store, jobs, now, () => ({ now: now(), ports, read: store.read, write: asHost }))
      },
      async next() {
        await ready()
        return nextDue(
          store,
          jobs.map(({ kind }) => kind),
        )
      },
      async list(limit = 100) {
        await ready()
        return queuedJobs(store, limit)
      },
    },
    async vitals() {
      const state = (await store.state?.()) ?? { applied: 0, pending: [], newer: [], busyRetries: 0 }
      // Before the first migration there is no table of jobs.
      const none = { waiting: 0, running: 0, parked: 0, oldestDueSeconds: null }
      const jobs = state.pending.length ? none : await store.read((handle) => countJobs(handle, now()))
      return { store: state, jobs }
    },
    ports,
    close() {
      closed ??= (async () => store.close())().finally(release)
      return closed
    },
  })
}
