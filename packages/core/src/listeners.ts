import type { Signals } from './contract/signals.ts'
import { type ListenerErrorHandler, notify } from './kernel/notify.ts'

/** A signal with its payload, as an operation emitted it. */
export type EmittedSignal = {
  readonly [N in keyof Signals]: { readonly name: N; readonly payload: Signals[N] }
}[keyof Signals]

export type Listener<N extends keyof Signals> = (payload: Signals[N]) => void | Promise<void>

/** The host's subscriptions to domain events. */
export interface Listeners {
  /** @returns a function that ends the subscription */
  add<N extends keyof Signals>(name: N, listener: Listener<N>): () => void
  /** Calls the listeners of each signal. Their errors go to the error handler and do not affect the operation. */
  publish(signals: readonly EmittedSignal[]): void
}

export const createListeners = (onError: ListenerErrorHandler | undefined): Listeners => {
  const listeners = new Map<keyof Signals, Set<(payload: never) => void | Promise<void>>>()
  return {
    add<N extends keyof Signals>(name: N, listener: Listener<N>) {
      const registered = listeners.get(name) ?? new Set()
      // A wrapper for each subscription: a function that subscribes twice can end each subscription separately.
      const subscription = (payload: Signals[N]) => listener(payload)
      registered.add(subscription)
      listeners.set(name, registered)
      return () => void registered.delete(subscription)
    },
    publish(signals) {
      for (const { name, payload } of signals) {
        for (const listener of listeners.get(name) ?? []) notify(name, () => listener(payload as never), onError)
      }
    },
  }
}
