import { type Platform, type Signals, signalNames } from '@forgelet/core'
import { assertOptions, optionNames } from '@forgelet/core/operations'
import { assertInteger } from './invalid-value.ts'
import { maxTimeout, WaitTimeoutError } from './wait-for.ts'

/** Options of a wait for a domain event. */
export interface EventWaitOptions<N extends keyof Signals> {
  /** Milliseconds. Default 1,000. */
  readonly timeout?: number
  /** Receives the payload of an event; the wait ends with the first one for which it returns true. */
  readonly where?: (payload: Signals[N]) => boolean
}

const waitOptions = optionNames<EventWaitOptions<keyof Signals>>({ timeout: true, where: true })

/** The domain events of a world: those that `platform.on` delivers. */
export interface DomainEvents {
  /**
   * Waits for a future event and returns its payload.
   *
   * @throws TypeError for an unknown option, PlatformError `invalid_input` for an invalid timeout
   * @throws WaitTimeoutError after the timeout
   */
  waitFor<N extends keyof Signals>(name: N, options?: EventWaitOptions<N>): Promise<Signals[N]>
  /** Calls the listener with the name of each future event. Returns the function that unsubscribes it. */
  listen(listener: (name: keyof Signals) => void): () => void
}

export const createDomainEvents = (platform: Pick<Platform, 'on'>): DomainEvents => ({
  async waitFor(name, options = {}) {
    assertOptions('waitFor', options, waitOptions)
    const { timeout = 1_000, where = () => true } = options
    assertInteger('timeout', timeout, 0, maxTimeout)
    const { promise, resolve, reject } = Promise.withResolvers<Signals[typeof name]>()
    const unsubscribe = platform.on(name, (payload) => {
      if (where(payload)) resolve(payload)
    })
    const timer = setTimeout(() => reject(new WaitTimeoutError(`No event ${name} within ${timeout} ms`)), timeout)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      unsubscribe()
    }
  },
  listen(listener) {
    const subscriptions = signalNames.map((name) => platform.on(name, () => listener(name)))
    return () => {
      for (const unsubscribe of subscriptions) unsubscribe()
    }
  },
})
