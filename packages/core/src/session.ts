import type { features } from './features.ts'
import { createNameGuard } from './kernel/name-guard.ts'
import type { Operation } from './kernel/operation.ts'
import { createOperationNames } from './kernel/operation-names.ts'

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

type RunOperation = (operation: Operation, input: unknown, family?: string) => Promise<unknown>

interface BoundSession {
  readonly [runSymbol]: RunOperation
}

const runSymbol = Symbol('run')

type OperationTable = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** One class per feature table, so that a session is one small object and creates its features on first access. */
const sessionClasses = new WeakMap<object, new (run: RunOperation) => object>()

const getSessionClass = (table: OperationTable) => {
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
  const names = createOperationNames(table)
  const guard = createNameGuard((name) => names.explainFamily(name))
  Object.setPrototypeOf(Session.prototype, guard)
  for (const [family, operations] of Object.entries(table)) {
    const entries = Object.entries(operations)
    const guard = createNameGuard((name) => names.explainOperation(family, name))
    Object.defineProperty(Session.prototype, family, {
      get(this: BoundSession) {
        const functions = entries.map(([name, operation]) => [
          name,
          (input: unknown) => this[runSymbol](operation, input, family),
        ])
        const calls = { __proto__: guard, ...Object.fromEntries(functions) }
        Object.defineProperty(this, family, { value: calls, enumerable: true })
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
