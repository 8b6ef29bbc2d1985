import type { Signals } from './contract/signals.ts'
import type { EventConsumer, RecordedEvent } from './kernel/event-feed.ts'
import { type ListenerErrorHandler, notify, reportListenerError } from './kernel/notify.ts'

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
  /** The listeners, for the signals of all processes on a database. */
  readonly consumer: EventConsumer
}

export const createListeners = (onError: ListenerErrorHandler | undefined): Listeners => {
  const listeners = new Map<string, Set<(payload: never) => void | Promise<void>>>()
  const deliver = ({ name, payload }: RecordedEvent) =>
    Array.from(listeners.get(name) ?? [], (listener) => notify(name, () => listener(payload as never), onError))
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
      for (const signal of signals) deliver(signal)
    },
    consumer: {
      getNames: () => [...listeners].flatMap(([name, { size }]) => (size ? [name] : [])),
      deliver,
      onError: (error, name) => reportListenerError(error, name, onError),
    },
  }
}
