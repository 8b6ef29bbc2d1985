import type { Signals } from '../contract/signals.ts'
import type { Context } from './context.ts'

export interface Reaction {
  readonly signal: keyof Signals
  run(ctx: Context, payload: never): Promise<void>
}

/** Runs in the transaction that emits the signal. */
export const defineReaction = <N extends keyof Signals>(
  signal: N,
  run: (ctx: Context, payload: Signals[N]) => Promise<void>,
): Reaction => ({ signal, run })
