import { assertOptions, optionNames } from '../../kernel/assert-arguments.ts'

/** Options of `postgres(url, { events })`. */
export interface PostgresEventOptions {
  /**
   * A name under which the position is stored: after a restart, delivery continues with the events that were not delivered.
   * Of several processes with the same name, one receives the events, and another one takes over when it ends. Without a name,
   * each process receives the events that are committed while it runs. 1 to 60 letters, digits, `.`, `-` and `_`.
   */
  readonly consumer?: string
  /** Milliseconds after which events are deleted, delivered or not. Default 259,200,000, which is three days. */
  readonly retention?: number
}

export interface EventSettings {
  readonly consumer: string | undefined
  readonly retention: number
}

const eventOptions = optionNames<PostgresEventOptions>({ consumer: true, retention: true })

const defaultRetention = 3 * 86_400_000
const minRetention = 60_000

/** @throws TypeError if an option is unknown or invalid */
export const parseEventOptions = (options: boolean | PostgresEventOptions): EventSettings | undefined => {
  if (options === false) return undefined
  if (options !== true) assertOptions('events', options, eventOptions)
  const { consumer, retention = defaultRetention } = options === true ? {} : options
  if (consumer !== undefined && !/^[\w.-]{1,60}$/.test(consumer)) {
    throw new TypeError(`Invalid consumer "${consumer}": use 1 to 60 letters, digits, ".", "-" and "_"`)
  }
  if (!(Number.isSafeInteger(retention) && retention >= minRetention)) {
    throw new TypeError(
      `The option retention must be an integer of at least ${minRetention} milliseconds: ${retention}`,
    )
  }
  return { consumer, retention }
}
