interface Flight<Value> {
  readonly result: Promise<Value>
  readonly controller: AbortController
  waiting: number
}

/**
 * Lets callers that ask the same thing at the same time share one piece of work. A caller that goes away gets its own
 * abort reason at once; the work is ended when the last of them has gone.
 */
export const sharedWork = () => {
  // Keys name the kind of work, so one key always has one type.
  const flights = new Map<string, Flight<unknown>>()

  return async <Value>(
    key: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> => {
    signal?.throwIfAborted()
    let flight = flights.get(key) as Flight<Value> | undefined
    if (flight === undefined || flight.controller.signal.aborted) {
      const controller = new AbortController()
      const started: Flight<Value> = { result: work(controller.signal), controller, waiting: 0 }
      flights.set(key, started)
      const land = () => {
        if (flights.get(key) === started) flights.delete(key)
      }
      started.result.then(land, land)
      flight = started
    }
    const { result, controller } = flight
    flight.waiting += 1
    const gone = Promise.withResolvers<never>()
    const leave = () => gone.reject(signal?.reason)
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await (signal === undefined ? result : Promise.race([result, gone.promise]))
    } finally {
      signal?.removeEventListener('abort', leave)
      flight.waiting -= 1
      if (flight.waiting === 0) controller.abort(signal?.reason)
    }
  }
}

export type SharedWork = ReturnType<typeof sharedWork>
