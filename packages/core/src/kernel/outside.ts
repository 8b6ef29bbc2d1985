import type { Context } from './context.ts'
import type { Soon } from './store.ts'

const rest = Symbol('rest')

/** How work outside comes back to the database: each call is a read or a transaction of its own, made as the same caller. */
export interface Steps {
  read<T>(work: (ctx: Context) => Soon<T>): Promise<T>
  write<T>(work: (ctx: Context) => Soon<T>): Promise<T>
}

/** The rest of an operation that waits for something outside the platform. */
export interface Outside<T> {
  readonly [rest]: (steps: Steps) => Promise<T>
}

/**
 * Ends the part of an operation that needs the database: what is still to do runs once the read is over or the transaction
 * is committed, and its answer is the operation's. A store in memory lets nobody else in while one reads, so whoever waits
 * for the network inside would hold up everybody. The work must not use the context's database any more:
 * what it has found out it states with the steps it is given.
 */
export const outside = <T>(work: (steps: Steps) => Promise<T>): Outside<T> => ({ [rest]: work })

const isOutside = <T>(result: T | Outside<T>): result is Outside<T> =>
  typeof result === 'object' && result !== null && rest in result

/** The answer itself, after the work outside where there is any. */
export const completed = <T>(result: T | Outside<T>, steps: () => Steps): T | Promise<T> =>
  isOutside(result) ? result[rest](steps()) : result

/** Does something with an answer, whether it is there already or comes from outside. */
export const mapped = <T, R>(found: T | Outside<T>, map: (value: T) => R): R | Outside<R> =>
  isOutside(found) ? outside(async (steps) => map(await found[rest](steps))) : map(found)
