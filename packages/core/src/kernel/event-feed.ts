/** A domain event of a transaction, in the order of `emit`. */
export interface RecordedEvent {
  readonly name: string
  readonly payload: unknown
}

/** Receives the events of a feed. */
export interface EventConsumer {
  /** The names of the events that have listeners at present; others need no payload. */
  getNames(): readonly string[]
  /** Calls the listeners of an event. The promises resolve when they are done, and never reject. */
  deliver(event: RecordedEvent): readonly Promise<void>[]
  /** Receives errors of the feed, with the name of the event or `events`. */
  onError(error: unknown, name: string): void | Promise<void>
}

/**
 * The committed events of all processes on one database. A platform over a store with a feed delivers its own events through
 * the feed too, because only then do all processes receive the events in the same order.
 */
export interface EventFeed {
  /**
   * Starts to deliver the events that are committed after it resolves, or those after the stored position of a named consumer.
   * Several platforms over one store share its feed. The store closes it.
   */
  start(consumer: EventConsumer): Promise<void>
}

/** The state of a feed in one process. */
export interface EventFeedState {
  /** Whether the process is connected for notifications of new events. */
  readonly connected: boolean
  /** Whether another process receives the events for the named consumer at present. */
  readonly standby: boolean
  /** The time since the oldest event was committed that this process has not delivered; null if there is none. */
  readonly delaySeconds: number | null
}
