import * as v from 'valibot'
import type { Subjects } from '../contract/subjects.ts'
import type { policy } from '../policy.ts'
import type { Context } from './context.ts'
import type { Deferred } from './deferred.ts'
import type { Problem } from './errors.ts'
import { compileMapper } from './mapper.ts'
import type { RateLimit } from './rate-limit.ts'
import type { NamedScope } from './scopes.ts'
import type { Serialization } from './serialization.ts'
import type { MaybePromise } from './store.ts'

type Entries = v.ObjectEntries
export type EntriesInput<E extends Entries> = v.InferInput<v.ObjectSchema<E, undefined>>
export type EntriesOutput<E extends Entries> = v.InferOutput<v.ObjectSchema<E, undefined>>
type Simplify<T> = T extends unknown ? { [K in keyof T]: T[K] } & {} : never

/** Loads the subject of an operation. `G` is the input type for callers, when it is stricter than that of the entries. */
export interface SubjectLoader<K extends keyof Subjects, E extends Entries, G = EntriesInput<E>> {
  readonly kinds: readonly K[]
  readonly entries: E
  /** Rules for the reference, checked before the subject is loaded. */
  readonly rules?: readonly InputRule<EntriesOutput<E>>[]
  /** The kind that an input selects, which need not be valid. Without this function, it can select any of `kinds`. */
  kindOf?(input: Readonly<Record<string, unknown>>): K
  load(ctx: Context, reference: EntriesOutput<E>): MaybePromise<Subjects[K]>
  /** Type only; never set. */
  readonly inputType?: G
}

/** A check across fields; returns a problem or undefined. */
export type InputRule<T> = (input: T) => Problem | undefined

/** An operation of the platform. The library API, routes, OpenAPI, the permission reference and fixtures are built from it. */
// biome-ignore lint/suspicious/noExplicitAny: the tables hold operations of every input and result
export interface Operation<In = any, Out = any> {
  /** `query`: only reads. `command`: writes in one transaction. */
  readonly mode: 'query' | 'command'
  /** The possible kinds of subjects, as in `policy`. */
  readonly kinds: readonly (keyof Subjects)[]
  /** The kind that an input selects, which need not be valid; undefined if it can select any of `kinds`. */
  readonly kindOf: ((input: Readonly<Record<string, unknown>>) => keyof Subjects) | undefined
  /** The required ability on the subject: `label.manage`. */
  readonly can: string
  /** The schemas of the input fields. */
  readonly entries: Entries
  /** The schema of the whole input, without the rules across fields. */
  readonly schema: v.GenericSchema<In, Readonly<Record<string, unknown>>>
  /** Checks the rules across fields on an input that matches the schema. */
  checkRules(parsed: Readonly<Record<string, unknown>>): readonly Problem[]
  /** `paid` operations fail with `not_licensed` on a platform with the `free` tier. */
  readonly tier: 'paid' | 'free'
  /** Sufficient token scopes, in addition to `api` and, with `allowsReadScope`, `read_api`. Deploy tokens and job tokens have only these. */
  readonly scopes: readonly NamedScope[]
  /** Scopes that are also sufficient if the input selects a subject of this kind. */
  readonly scopesByKind: Readonly<Record<string, readonly NamedScope[]>>
  /** Whether the scope `read_api` permits it. */
  readonly allowsReadScope: boolean
  /** The commands that a command excludes while it runs; undefined for a query. */
  readonly serializes: Serialization | undefined
  /** Whether a call with a token that rotation has replaced revokes the token that replaced it. */
  readonly endsTokenFamily: boolean
  /** Whether users can call it before they have accepted the terms of service. */
  readonly beforeTerms: boolean
  /** The rate limit for calls over the network. */
  readonly limit: RateLimit<Readonly<Record<string, unknown>>, Subjects[keyof Subjects]> | undefined
  /** Loads the subject. Throws `not_found` when it does not exist. */
  load(ctx: Context, parsed: Readonly<Record<string, unknown>>): MaybePromise<Subjects[keyof Subjects]>
  /** Runs the operation. The executor has authenticated the caller, parsed the input and checked the ability. */
  run(
    ctx: Context,
    parsed: Readonly<Record<string, unknown>>,
    subject: Subjects[keyof Subjects],
  ): MaybePromise<Out | Deferred<Out>>
}

interface OperationDefinition<K extends keyof Subjects, S extends Entries, G, E extends Entries, Out> {
  /** Loads the subject. */
  on: SubjectLoader<K, S, G>
  /** The required ability; `policy` must have it for every kind of subject that `on` can load. */
  can: keyof (typeof policy)[K] & string
  input?: E
  /** Rules for the input, which see the subject reference, too. */
  rules?: readonly InputRule<Simplify<EntriesOutput<S> & EntriesOutput<E>>>[]
  /** `paid` operations fail with `not_licensed` on a platform with the `free` tier. */
  tier?: 'paid'
  /** Sufficient token scopes, in addition to `api` (and `read_api` for queries). */
  scopes?: readonly NamedScope[]
  /** Scopes that are also sufficient if the input selects a subject of this kind. */
  scopesByKind?: Partial<Readonly<Record<K, readonly NamedScope[]>>>
  /** False for a query with a POST route: the scope `read_api` permits only GET requests. */
  allowsReadScope?: false
  /**
   * The commands that this command excludes while it runs. Default: `tree`, or `instance` for a subject without a container.
   * `project` is sufficient if it changes only rows of its project, and reads only those, permissions and rows of the
   * project's groups.
   */
  serializes?: Serialization
  /** Whether a call with a token that rotation has replaced revokes the token that replaced it. */
  endsTokenFamily?: true
  /** Whether users can call it before they have accepted the terms of service. */
  beforeTerms?: true
  /** The rate limit for calls over the network; calls of the host are not counted. */
  limit?: RateLimit<Simplify<EntriesOutput<E>>, Subjects[K]>
  /** Runs the operation. Work that waits for an external service is returned with `afterTransaction`. */
  run(ctx: Context, input: Simplify<EntriesOutput<E>>, subject: Subjects[K]): MaybePromise<Out | Deferred<Out>>
}

const noProblems: readonly Problem[] = []

/** The problems that rules find in an input. Allocates a list only when there are any. */
const collectProblems = <T>(rules: readonly InputRule<T>[], input: T): readonly Problem[] => {
  let problems: Problem[] | undefined
  for (const rule of rules) {
    const problem = rule(input)
    if (problem) problems = [...(problems ?? []), problem]
  }
  return problems ?? noProblems
}

const kindsWithoutContainer: ReadonlySet<keyof Subjects> = new Set(['instance', 'currentUser', 'user'])

const getDefaultSerialization = (kinds: readonly (keyof Subjects)[]): Serialization =>
  kinds.every((kind) => kindsWithoutContainer.has(kind)) ? 'instance' : 'tree'

const defineOperation =
  (mode: Operation['mode']) =>
  <K extends keyof Subjects, S extends Entries, G, Out, E extends Entries = Record<never, never>>(
    definition: OperationDefinition<K, S, G, E, Out>,
  ): Operation<Simplify<G & EntriesInput<E>>, Out> => {
    const {
      on,
      can,
      input,
      rules = [],
      tier = 'free',
      scopes = [],
      scopesByKind = {},
      allowsReadScope = mode === 'query',
      serializes = getDefaultSerialization(on.kinds),
      endsTokenFamily = false,
      beforeTerms = false,
      limit,
      run,
    } = definition
    const entries: Entries = { ...on.entries, ...input }
    // `run` and `limit` receive exactly the fields of their type, without those of the subject reference.
    const mapInput = compileMapper(Object.keys(input ?? {}).map((name) => ({ key: name, from: name })))
    const pickInput = (parsed: Readonly<Record<string, unknown>>) => mapInput(parsed) as Simplify<EntriesOutput<E>>
    const { rules: subjectRules = [] } = on
    return {
      mode,
      kinds: on.kinds,
      kindOf: on.kindOf,
      can,
      entries,
      tier,
      scopes,
      scopesByKind,
      allowsReadScope,
      serializes: mode === 'command' ? serializes : undefined,
      endsTokenFamily,
      beforeTerms,
      limit: limit && {
        ...limit,
        getKey: (ctx, parsed, subject) => limit.getKey(ctx, pickInput(parsed), subject as Subjects[K]),
      },
      schema: v.strictObject(entries) as never,
      checkRules(parsed) {
        const subjectProblems = collectProblems(subjectRules, parsed as EntriesOutput<S>)
        return rules.length
          ? [...subjectProblems, ...collectProblems(rules, parsed as Simplify<EntriesOutput<S> & EntriesOutput<E>>)]
          : subjectProblems
      },
      load: (ctx, parsed) => on.load(ctx, parsed as EntriesOutput<S>),
      run: (ctx, parsed, subject) => run(ctx, pickInput(parsed), subject as Subjects[K]),
    }
  }

/** Defines an operation that only reads and never opens a transaction. */
export const query = defineOperation('query')

/** Defines an operation that writes, always in one transaction. */
export const command = defineOperation('command')
