import type { features } from './features.ts'
import type { Operation } from './kernel/operation.ts'

type Table = typeof features

/** Nothing need be given where every field may be left out. */
type Call<In, Out> = Record<never, never> extends In ? (input?: In) => Promise<Out> : (input: In) => Promise<Out>

/** Every operation of every feature, as a function of its input. */
export type Features = {
  readonly [F in keyof Table]: {
    readonly [O in keyof Table[F]]: Table[F][O] extends Operation<infer In, infer Out> ? Call<In, Out> : never
  }
}

type Run = (operation: Operation, input: unknown) => Promise<unknown>

const runOf = Symbol('run')

interface Bound {
  readonly [runOf]: Run
}

/** One class a table of features: a session is then one small object, and its parts are made when they are asked for. */
const classes = new WeakMap<object, new (run: Run) => object>()

const classOf = (table: Readonly<Record<string, Readonly<Record<string, Operation>>>>) => {
  const known = classes.get(table)
  if (known) return known
  class Session implements Bound {
    readonly [runOf]: Run
    constructor(run: Run) {
      this[runOf] = run
    }
    run(operation: Operation, input: unknown) {
      return this[runOf](operation, input)
    }
  }
  for (const [name, operations] of Object.entries(table)) {
    Object.defineProperty(Session.prototype, name, {
      get(this: Bound) {
        const calls = Object.fromEntries(
          Object.entries(operations).map(([verb, operation]) => [
            verb,
            (input: unknown) => this[runOf](operation, input),
          ]),
        )
        Object.defineProperty(this, name, { value: calls, enumerable: true })
        return calls
      },
    })
  }
  classes.set(table, Session)
  return Session
}

/** The features as calls, each of which goes through `run`. */
export const bind = (table: Table, run: Run): object => new (classOf(table as never))(run)
