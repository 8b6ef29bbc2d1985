/** Hears of a listener that has thrown: what it threw, and the name of the fact that it was told. */
export type ListenerFailure = (error: unknown, fact: string) => void | Promise<void>

/** Where nobody asks for failures the process warns of them. */
const warn: ListenerFailure = (error, fact) => {
  const detail = error instanceof Error && error.stack ? error.stack : String(error)
  process.emitWarning(`A listener of ${fact} failed`, { type: 'ListenerWarning', detail })
}

/**
 * Lets a listener hear of a fact, after everything that runs now. What it throws, and what it rejects later, goes to
 * `failed` and never becomes a rejection that nobody handles; neither does what `failed` throws.
 */
export const hear = (fact: string, listener: () => void | Promise<void>, failed: ListenerFailure = warn): void =>
  queueMicrotask(async () => {
    try {
      await listener()
    } catch (error) {
      await Promise.resolve()
        .then(() => failed(error, fact))
        .catch((second: unknown) => warn(second, fact))
    }
  })
