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

/** One prototype a table of features: a session is then one small object, and its parts are made when they are asked for. */
const faces = new WeakMap<object, object>()

const faceOf = (table: Readonly<Record<string, Readonly<Record<string, Operation>>>>): object => {
  const known = faces.get(table)
  if (known) return known
  const face = {
    run(this: Bound, operation: Operation, input: unknown) {
      return this[runOf](operation, input)
    },
  }
  for (const [name, operations] of Object.entries(table)) {
    Object.defineProperty(face, name, {
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
  faces.set(table, face)
  return face
}

/** The features as calls, each of which goes through `run`. */
export const bind = (table: Table, run: Run): object => {
  const session = Object.create(faceOf(table as never)) as { [runOf]: Run }
  // Plainly assigned: a property descriptor costs more than all the rest, and a session is made for each request.
  session[runOf] = run
  return session
}
