/** Type test of `Signals`: the outbox stores payloads as JSON, so a payload with a date or a function does not compile. Never run. */
import type { Signals } from '../../packages/core/src/contract/signals.ts'

type Scalar = string | number | boolean | null | undefined
type NotJson = Date | bigint | symbol | Uint8Array | ReadonlyMap<never, never> | ReadonlySet<never> | (() => unknown)

type JsonOnly<T> = T extends Scalar ? T : T extends NotJson ? never : { readonly [K in keyof T]: JsonOnly<T[K]> }

export const jsonSignals = (signals: Signals): JsonOnly<Signals> => signals

// @ts-expect-error A date becomes text.
export const withDate = (payload: { readonly at: Date }): JsonOnly<{ readonly at: Date }> => payload
