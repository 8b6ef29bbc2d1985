import * as v from 'valibot'
import type { policy, Subjects } from '../policy.ts'
import type { Context } from './context.ts'
import type { Problem } from './errors.ts'
import type { Outside } from './outside.ts'
import { picker } from './picker.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Scope } from './scopes.ts'
import type { Soon } from './store.ts'

type Entries = v.ObjectEntries
type Given<E extends Entries> = v.InferInput<v.ObjectSchema<E, undefined>>
type Parsed<E extends Entries> = v.InferOutput<v.ObjectSchema<E, undefined>>
type Flat<T> = T extends unknown ? { [K in keyof T]: T[K] } & {} : never

/** How an operation finds what it acts on. `G` is what callers give, where that says more than the entries can. */
export interface Subject<K extends keyof Subjects, E extends Entries, G = Given<E>> {
  readonly kinds: readonly K[]
  readonly entries: E
  /** Checks of the reference itself, before anything is loaded. */
  readonly rules?: readonly InputRule<Parsed<E>>[]
  load(ctx: Context, reference: Parsed<E>): Soon<Subjects[K]>
  /** Only for its type. */
  readonly given?: G
}

/** A check across fields: a complaint, or nothing. */
export type InputRule<T> = (input: T) => Problem | undefined

/** One thing the platform can do. Library calls, routes, OpenAPI, the permission page and the fixtures read this value. */
// biome-ignore lint/suspicious/noExplicitAny: the tables hold operations of every input and result
export interface Operation<In = any, Out = any> {
  /** Whether it reads, or writes in one transaction. */
  readonly mode: 'query' | 'command'
  /** What it can act on, of the kinds that `policy` knows. */
  readonly kinds: readonly (keyof Subjects)[]
  /** The ability it needs there: `label.create`. */
  readonly can: string
  /** Its input, field by field. */
  readonly entries: Entries
  /** Its whole input, without the rules across fields. */
  readonly schema: v.GenericSchema<In, Readonly<Record<string, unknown>>>
  /** What the rules across fields say against an input that fits the schema. */
  complaints(parsed: Readonly<Record<string, unknown>>): readonly Problem[]
  /** Whether it is refused on a platform that runs as `free`. */
  readonly tier: 'paid' | 'free'
  /** Scopes that are enough besides `api`, and `read_api` for what reads. */
  readonly scopes: readonly Scope[]
  /** Whether a token that only reads opens it. */
  readonly reading: boolean
  /** How often it may be asked over the network. */
  readonly limit: RateLimit<Readonly<Record<string, unknown>>, Subjects[keyof Subjects]> | undefined
  /** Finds what it acts on; `not_found` where the caller must not know that it is there. */
  load(ctx: Context, parsed: Readonly<Record<string, unknown>>): Soon<Subjects[keyof Subjects]>
  /** Does it. Everything was checked before: who calls, the input, and whether they may. */
  run(
    ctx: Context,
    parsed: Readonly<Record<string, unknown>>,
    subject: Subjects[keyof Subjects],
  ): Soon<Out | Outside<Out>>
}

interface Definition<K extends keyof Subjects, S extends Entries, G, E extends Entries, Out> {
  /** What it acts on. */
  on: Subject<K, S, G>
  /** The ability it needs there; it must be granted on every kind that `on` can find. */
  can: keyof (typeof policy)[K] & string
  input?: E
  rules?: readonly InputRule<Flat<Parsed<E>>>[]
  /** `paid` operations are refused on a platform that runs as `free`. */
  tier?: 'paid'
  /** Scopes that are enough besides `api` (and `read_api` for queries). */
  scopes?: readonly Scope[]
  /** False for a query that is asked for by POST: a token that only reads opens what GET asks for. */
  reading?: false
  /** How often it may be asked over the network; calls of the host itself are not counted. */
  limit?: RateLimit<Flat<Parsed<E>>, Subjects[K]>
  /** What waits for something outside the platform is handed back with `outside`. */
  run(ctx: Context, input: Flat<Parsed<E>>, subject: Subjects[K]): Soon<Out | Outside<Out>>
}

const nothing: readonly Problem[] = []

/** What rules say against an input: nearly always nothing, and then no list is made. */
const said = <T>(rules: readonly InputRule<T>[], input: T): readonly Problem[] => {
  let problems: Problem[] | undefined
  for (const rule of rules) {
    const problem = rule(input)
    if (problem) problems = [...(problems ?? []), problem]
  }
  return problems ?? nothing
}

const define =
  (mode: Operation['mode']) =>
  <K extends keyof Subjects, S extends Entries, G, Out, E extends Entries = Record<never, never>>(
    definition: Definition<K, S, G, E, Out>,
  ): Operation<Flat<G & Given<E>>, Out> => {
    const {
      on,
      can,
      input,
      rules = [],
      tier = 'free',
      scopes = [],
      reading = mode === 'query',
      limit,
      run,
    } = definition
    const entries: Entries = { ...on.entries, ...input }
    // The author of `run` and of `rules` gets exactly the fields that the types promise: not the reference to the subject.
    const pick = picker(Object.keys(input ?? {}).map((name) => ({ key: name, from: name })))
    const own = (parsed: Readonly<Record<string, unknown>>) => pick(parsed) as Flat<Parsed<E>>
    const { rules: ownRules = [] } = on
    return {
      mode,
      kinds: on.kinds,
      can,
      entries,
      tier,
      scopes,
      reading,
      limit: limit && {
        ...limit,
        by: (ctx, parsed, subject) => limit.by(ctx, own(parsed), subject as Subjects[K]),
      },
      schema: v.strictObject(entries) as never,
      complaints(parsed) {
        const ofReference = said(ownRules, parsed as Parsed<S>)
        return rules.length ? [...ofReference, ...said(rules, own(parsed))] : ofReference
      },
      load: (ctx, parsed) => on.load(ctx, parsed as Parsed<S>),
      run: (ctx, parsed, subject) => run(ctx, own(parsed), subject as Subjects[K]),
    }
  }

/** Reads. Never opens a transaction. */
export const query = define('query')

/** Writes. Always one transaction. */
export const command = define('command')
