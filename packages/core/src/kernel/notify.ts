/** Receives the error of a failed listener and the name of the signal. */
export type ListenerErrorHandler = (error: unknown, signal: string) => void | Promise<void>

/** The default handler: emits a process warning. */
const emitListenerWarning: ListenerErrorHandler = (error, signal) => {
  const detail = error instanceof Error && error.stack ? error.stack : String(error)
  process.emitWarning(`A listener of ${signal} failed`, { type: 'ListenerWarning', detail })
}

/** Passes an error to `onError`. Errors of `onError` become a process warning. */
export const reportListenerError = async (
  error: unknown,
  signal: string,
  onError: ListenerErrorHandler = emitListenerWarning,
): Promise<void> => {
  try {
    await onError(error, signal)
  } catch (second) {
    await emitListenerWarning(second, signal)
  }
}

/**
 * Calls a listener in a microtask. Its errors, synchronous or asynchronous, go to `onError`.
 *
 * @returns a promise that resolves when the listener is done, and never rejects
 */
export const notify = (
  signal: string,
  listener: () => void | Promise<void>,
  onError: ListenerErrorHandler | undefined,
): Promise<void> =>
  Promise.resolve()
    .then(listener)
    .catch((error: unknown) => reportListenerError(error, signal, onError))
