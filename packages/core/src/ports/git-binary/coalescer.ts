interface SharedTask<Value> {
  readonly result: Promise<Value>
  readonly controller: AbortController
  waitingCallers: number
}

/**
 * Shares one run of `work` among concurrent callers with the same key. An aborted caller is rejected immediately; `work` is
 * aborted with its last caller.
 */
export const createCoalescer = () => {
  // A key determines the type of its value.
  const tasks = new Map<string, SharedTask<unknown>>()

  return async <Value>(
    key: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> => {
    signal?.throwIfAborted()
    let task = tasks.get(key) as SharedTask<Value> | undefined
    if (task === undefined || task.controller.signal.aborted) {
      const controller = new AbortController()
      const started: SharedTask<Value> = { result: work(controller.signal), controller, waitingCallers: 0 }
      tasks.set(key, started)
      const remove = () => {
        if (tasks.get(key) === started) tasks.delete(key)
      }
      started.result.then(remove, remove)
      task = started
    }
    const { result, controller } = task
    task.waitingCallers += 1
    const aborted = Promise.withResolvers<never>()
    const abort = () => aborted.reject(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    try {
      return await (signal === undefined ? result : Promise.race([result, aborted.promise]))
    } finally {
      signal?.removeEventListener('abort', abort)
      task.waitingCallers -= 1
      if (task.waitingCallers === 0) controller.abort(signal?.reason)
    }
  }
}

export type Coalescer = ReturnType<typeof createCoalescer>
