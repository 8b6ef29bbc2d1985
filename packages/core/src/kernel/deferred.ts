import type { Actor } from './actor.ts'
import type { Context } from './context.ts'
import type { MaybePromise } from './store.ts'

const deferredWork = Symbol('deferredWork')

/** Database access for deferred work: each call is a separate read or transaction, with the same actor. */
export interface TransactionRunner {
  read<T>(work: (ctx: Context) => MaybePromise<T>): Promise<T>
  write<T>(work: (ctx: Context) => MaybePromise<T>): Promise<T>
}

/** The part of an operation that runs after its transaction, usually because it waits for an external service. */
export interface Deferred<T> {
  readonly [deferredWork]: (runner: TransactionRunner) => Promise<T>
}

/**
 * Defers work until the read ends or the transaction commits; its result becomes the result of the operation. Waiting for
 * the network inside would block all other callers of an in-memory store. The work must not use the database of the
 * operation's context: it reads and writes through the runner.
 */
export const afterTransaction = <T>(work: (runner: TransactionRunner) => Promise<T>): Deferred<T> => ({
  [deferredWork]: work,
})

/** Whether an operation continues after its transaction. */
export const isDeferred = <T>(result: T | Deferred<T>): result is Deferred<T> =>
  typeof result === 'object' && result !== null && deferredWork in result

/** Runs deferred work, if there is any, and returns the result of the operation. */
export const complete = <T>(result: T | Deferred<T>, createRunner: () => TransactionRunner): T | Promise<T> =>
  isDeferred(result) ? result[deferredWork](createRunner()) : result

/** Runs work after the transaction and before the deferred part of the result, if it has one. */
export const afterCommit = <T>(
  result: T | Deferred<T>,
  work: (runner: TransactionRunner) => Promise<void>,
): Deferred<T> =>
  afterTransaction(async (runner) => {
    await work(runner)
    return isDeferred(result) ? result[deferredWork](runner) : result
  })

/** The same work as another actor. */
export const actDeferredAs = <T>(actor: Actor, deferred: Deferred<T>): Deferred<T> =>
  afterTransaction((runner) =>
    deferred[deferredWork]({
      read: (work) => runner.read((ctx) => work(ctx.actAs(actor))),
      write: (work) => runner.write((ctx) => work(ctx.actAs(actor))),
    }),
  )

/** The same work with changed transactions. */
export const mapWrites = <T>(
  deferred: Deferred<T>,
  map: <R>(work: (ctx: Context) => MaybePromise<R>) => (ctx: Context) => MaybePromise<R>,
): Deferred<T> =>
  afterTransaction(({ read, write }) => deferred[deferredWork]({ read, write: (work) => write(map(work)) }))

/** Maps a result, immediately or after the deferred work. */
export const mapResult = <T, R>(result: T | Deferred<T>, map: (value: T) => R): R | Deferred<R> =>
  isDeferred(result) ? afterTransaction(async (runner) => map(await result[deferredWork](runner))) : map(result)
