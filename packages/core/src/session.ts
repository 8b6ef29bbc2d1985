import type { features } from './features.ts'
import type { Operation } from './kernel/operation.ts'

type FeatureTable = typeof features

/** The input is optional when all of its fields are. */
type OperationFunction<In, Out> =
  Record<never, never> extends In ? (input?: In) => Promise<Out> : (input: In) => Promise<Out>

/** Every operation of every feature, as a function of its input. */
export type Features = {
  readonly [F in keyof FeatureTable]: {
    readonly [O in keyof FeatureTable[F]]: FeatureTable[F][O] extends Operation<infer In, infer Out>
      ? OperationFunction<In, Out>
      : never
  }
}

/** All operations, called with one identity. */
export interface Session extends Features {
  /** Runs any operation; for adapters. The input is checked like in any other call. */
  run<In, Out>(operation: Operation<In, Out>, input: In): Promise<Out>
}

type RunOperation = (operation: Operation, input: unknown) => Promise<unknown>

const runSymbol = Symbol('run')

interface BoundSession {
  readonly [runSymbol]: RunOperation
}

/** One class per feature table, so that a session is one small object and creates its features on first access. */
const sessionClasses = new WeakMap<object, new (run: RunOperation) => object>()

const getSessionClass = (table: Readonly<Record<string, Readonly<Record<string, Operation>>>>) => {
  const existing = sessionClasses.get(table)
  if (existing) return existing
  class Session implements BoundSession {
    readonly [runSymbol]: RunOperation
    constructor(run: RunOperation) {
      this[runSymbol] = run
    }
    run(operation: Operation, input: unknown) {
      return this[runSymbol](operation, input)
    }
  }
  for (const [name, operations] of Object.entries(table)) {
    Object.defineProperty(Session.prototype, name, {
      get(this: BoundSession) {
        const calls = Object.fromEntries(
          Object.entries(operations).map(([operationName, operation]) => [
            operationName,
            (input: unknown) => this[runSymbol](operation, input),
          ]),
        )
        Object.defineProperty(this, name, { value: calls, enumerable: true })
        return calls
      },
    })
  }
  sessionClasses.set(table, Session)
  return Session
}

/** A session: all features as functions that call `run`. */
export const createSession = (table: FeatureTable, run: RunOperation): object =>
  new (getSessionClass(table as never))(run)
