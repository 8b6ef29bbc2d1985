import { safeParse } from 'valibot'
import { standing } from './features/accounts/standing.ts'
import { features, jobs, reactions } from './features.ts'
import { type Actor, type Identity, nobody } from './kernel/actor.ts'
import type { Call } from './kernel/call.ts'
import type { Context } from './kernel/context.ts'
import { forbidden, invalidInput, notFound, PlatformError } from './kernel/errors.ts'
import { inputProblems, unfitText } from './kernel/input-problems.ts'
import { drain, enqueue } from './kernel/job-queue.ts'
import type { Operation } from './kernel/operation.ts'
import { openedBy } from './kernel/scopes.ts'
import { type Handle, joined, type Store } from './kernel/store.ts'
import { policy, type Rule, type Subjects, subjectNames, visible } from './policy.ts'
import { withDefaults } from './ports/defaults.ts'
import type { Ports } from './ports/ports.ts'
import { bind, type Features } from './session.ts'
import type { Signals } from './signals.ts'

export interface PlatformOptions {
  /** Who calls are made as when nobody is named: for single-user hosts. Default: nobody. */
  readonly identity?: Identity
  /** Which licensed tier it runs as. On `free`, paid operations are refused. Default: `paid`. */
  readonly tier?: 'paid' | 'free'
  readonly ports?: Partial<Ports>
}

/** Everything one caller can do. */
export interface Session extends Features {
  /** Runs any operation; for adapters. The input is checked like any other. */
  run<In, Out>(operation: Operation<In, Out>, input: In): Promise<Out>
}

export interface Platform extends Session {
  /** A session of somebody: cheap to make, to be made for each request. Adapters add what they know of the request. */
  as(who: Identity, call?: Call): Session
  /**
   * A session of whoever a token belongs to: a personal access token, or a SCIM token as `{ scim: token }`.
   *
   * @throws PlatformError `unauthenticated` when the token is unknown, expired or revoked
   */
  authenticate(token: string | { readonly scim: string }): Promise<Session>
  /** Listens to a fact, after the commit that made it true. Returns the call that ends listening. */
  on<N extends keyof Signals>(fact: N, listener: (fact: Signals[N]) => void | Promise<void>): () => void
  /** Opens the database and brings its schema up to date. Every call waits for it; calling it shows errors early. */
  ready(): Promise<void>
  /**
   * Several calls as one transaction: all or nothing. Inside, await only calls of the platform that is handed over; on
   * PostgreSQL the work may run again after a race with another process. `at` gives the same platform with its clock
   * standing at a time in milliseconds.
   */
  atomic<T>(work: (platform: Platform, at: (now: number) => Platform) => Promise<T>): Promise<T>
  readonly jobs: {
    /** Runs everything that is due and returns how many jobs ran. */
    drain(): Promise<number>
  }
  readonly ports: Ports
  /** Closes the store. Calling it again changes nothing. */
  close(): Promise<void>
}

type Fact = { readonly [N in keyof Signals]: { readonly name: N; readonly fact: Signals[N] } }[keyof Signals]

const refuseNobody = (actor: Actor, rules: readonly Rule<never>[]) => {
  if (actor.kind === 'nobody' && !rules.some(({ anonymous }) => anonymous)) {
    throw new PlatformError('unauthenticated', 'Sign in first')
  }
}

const rulesOf = ({ kinds, can }: Operation): readonly Rule<never>[] =>
  kinds.map((kind) => (policy[kind] as unknown as Record<string, Rule<never>>)[can] as Rule<never>)

const refuseNarrowToken = (actor: Actor, operation: Operation) => {
  if (actor.kind === 'scim' && !operation.kinds.includes('scimGroup')) {
    throw forbidden('A SCIM token opens nothing but SCIM')
  }
  if (actor.kind !== 'user' || actor.scopes === null) return
  const enough = openedBy(operation)
  if (enough.some((scope) => actor.scopes?.includes(scope))) return
  throw new PlatformError('insufficient_scope', 'The token does not open this operation', { scopes: enough })
}

const authorize = (actor: Actor, operation: Operation, subject: Subjects[keyof Subjects]) => {
  const { kind } = subject
  if (!(visible[kind] as Rule<unknown>).holds(actor, subject)) throw notFound(subjectNames[kind])
  const rule = (policy[kind] as unknown as Record<string, Rule<unknown>>)[operation.can] as Rule<unknown>
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
  /** Tells the host what became true. A listener that fails cannot undo it; its error goes to the host's own handler. */
  const tell = (facts: readonly Fact[]) => {
    for (const { name, fact } of facts) {
      for (const listener of listeners.get(name) ?? []) {
        queueMicrotask(async () => listener(fact as never))
      }
    }
  }
  return platformOver(store, options, listeners, tell)
}

type Listeners = Map<keyof Signals, Set<(fact: never) => void | Promise<void>>>

function platformOver(
  store: Store,
  options: PlatformOptions,
  listeners: Listeners,
  tell: (facts: readonly Fact[]) => void,
): Platform {
  const ports = withDefaults(options.ports ?? {})
  const tier = options.tier ?? 'paid'
  const now = () => new Date(ports.clock.now()).toISOString()

  let isReady = false
  const ready = async () => {
    if (isReady) return
    await store.migrate()
    isReady = true
  }

  const contextOf = (handle: Handle, actor: Actor, call: Call, at: string, facts: Fact[]): Context => {
    const ctx: Context = {
      ...handle,
      actor,
      call,
      now: at,
      ports,
      tier,
      async emit(name, fact) {
        facts.push({ name, fact } as Fact)
        for (const reaction of reactions) if (reaction.to === name) await reaction.run(ctx, fact as never)
      },
      enqueue: (kind, payload, given) => enqueue(handle, at, kind, payload, given),
    }
    return ctx
  }

  /**
   * The one path of every call. Order of checks: credential (401) → scope and tier (403) → input (400) → subject (404) →
   * permission (403) → state (409, 422).
   */
  const run = async <Out>(who: Identity, call: Call, operation: Operation, given: unknown): Promise<Out> => {
    if (!isReady) await ready()
    const rules = rulesOf(operation)
    if (who === null) refuseNobody(nobody, rules)
    const at = now()
    const parsed = safeParse(operation.schema, given ?? {})
    const admit = async (handle: Handle): Promise<Actor> => {
      const actor = await standing(handle, who, at)
      refuseNobody(actor, rules)
      refuseNarrowToken(actor, operation)
      if (operation.tier === 'paid' && tier === 'free') {
        throw new PlatformError('not_licensed', 'This needs a licensed tier')
      }
      if (!parsed.success) throw invalidInput(inputProblems(parsed.issues))
      const unfit = unfitText(parsed.output)
      if (unfit) throw invalidInput([{ fields: [unfit], message: 'is invalid' }])
      return actor
    }
    // A call that cannot succeed never takes the write lock.
    if (!parsed.success) return (await store.read(admit)) as never
    let facts: Fact[] = []
    const act = async (handle: Handle): Promise<Out> => {
      facts = []
      const actor = await admit(handle)
      const ctx = contextOf(handle, actor, call, at, facts)
      const subject = await operation.load(ctx, parsed.output)
      authorize(actor, operation, subject)
      return operation.run(ctx, parsed.output, subject)
    }
    const result = operation.mode === 'query' ? await store.read(act) : await store.write(act)
    if (facts.length) tell(facts)
    return result
  }

  const session = (who: Identity, call: Call = {}): Session =>
    bind(features, (operation: Operation, input: unknown) => run(who, call, operation, input)) as Session

  const asHost = async <T>(work: (ctx: Context) => Promise<T>): Promise<T> => {
    let facts: Fact[] = []
    const result = await store.write((handle) => {
      facts = []
      return work(contextOf(handle, { kind: 'system', reason: 'job' }, {}, now(), facts))
    })
    tell(facts)
    return result
  }

  let closed: Promise<void> | undefined
  return Object.assign(session(options.identity ?? null), {
    as: session,
    async authenticate(token: string | { readonly scim: string }) {
      const who = typeof token === 'string' ? { token } : { scim: token.scim }
      await ready()
      await store.read((handle) => standing(handle, who, now()))
      return session(who)
    },
    on<N extends keyof Signals>(name: N, listener: (fact: Signals[N]) => void | Promise<void>) {
      const known = listeners.get(name) ?? new Set()
      known.add(listener)
      listeners.set(name, known)
      return () => void known.delete(listener)
    },
    ready,
    async atomic<T>(work: (platform: Platform, at: (now: number) => Platform) => Promise<T>) {
      await ready()
      let facts: Fact[] = []
      const result = await store.write((handle) => {
        facts = []
        const over = (given: Ports) =>
          platformOver(joined(handle), { ...options, ports: given }, listeners, (stated) => void facts.push(...stated))
        return work(over(ports), (time) => over({ ...ports, clock: { now: () => time } }))
      })
      tell(facts)
      return result
    },
    jobs: {
      async drain() {
        await ready()
        return drain(store, jobs, now, () => ({ now: now(), ports, read: store.read, write: asHost }))
      },
    },
    ports,
    close() {
      closed ??= Promise.resolve(store.close())
      return closed
    },
  })
}
