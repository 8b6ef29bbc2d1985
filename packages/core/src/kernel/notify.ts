/** Receives the error of a failed listener and the name of the signal. */
export type ListenerErrorHandler = (error: unknown, signal: string) => void | Promise<void>

/** The default handler: emits a process warning. */
const emitListenerWarning: ListenerErrorHandler = (error, signal) => {
  const detail = error instanceof Error && error.stack ? error.stack : String(error)
  process.emitWarning(`A listener of ${signal} failed`, { type: 'ListenerWarning', detail })
}

/**
 * Calls a listener in a microtask. Its errors, synchronous or asynchronous, go to `onError`; errors of `onError` become a
 * process warning, so that there are no unhandled rejections.
 */
export const notify = (
  signal: string,
  listener: () => void | Promise<void>,
  onError: ListenerErrorHandler = emitListenerWarning,
): void =>
  queueMicrotask(async () => {
    try {
      await listener()
    } catch (error) {
      await Promise.resolve()
        .then(() => onError(error, signal))
        .catch((second: unknown) => emitListenerWarning(second, signal))
    }
  })
