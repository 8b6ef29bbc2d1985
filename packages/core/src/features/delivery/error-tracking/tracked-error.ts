/** States of an error. */
export const errorStatuses = ['unresolved', 'resolved', 'ignored'] as const

export type ErrorStatus = (typeof errorStatuses)[number]

/** A function call when an error occurred. */
export interface StackFrame {
  /** Path or address of the source file; null if unknown. */
  file: string | null
  /** Name of the function; null if unknown. */
  function: string | null
  /** Line in the file, from 1; null if unknown. */
  line: number | null
}

/** The last occurrence of an error. Requests, users and local variables that clients also send are not stored. */
export interface ErrorEvent {
  /** Id that the client has given to the event: 32 hexadecimal digits; null without one. */
  eventId: string | null
  /** Severity that the client has set, such as `error` or `warning`. */
  level: string
  /** Programming language, such as `node`; null if unknown. */
  platform: string | null
  /** Environment of the application, such as `production`; null if unknown. */
  environment: string | null
  /** Version of the application; null if unknown. */
  release: string | null
  /** The last calls, the innermost first; at most 50. */
  stack: readonly StackFrame[]
}

/** An error of an application, with all its occurrences. */
export interface TrackedError {
  /** Unique on the instance. */
  id: number
  /** Type of the error, such as `TypeError`. */
  name: string
  /** Message of its last occurrence. */
  message: string
  /** Where the error occurred: a transaction, or a function and its file; empty if unknown. */
  culprit: string
  /** Whether someone has resolved or ignored the error. A resolved one that occurs again is unresolved. */
  status: ErrorStatus
  /** Number of occurrences. */
  eventsCount: number
  /** Time of the first occurrence: ISO 8601, UTC, with milliseconds. */
  firstSeenAt: string
  /** Time of the last occurrence: ISO 8601, UTC, with milliseconds. */
  lastSeenAt: string
  /** The last occurrence. */
  lastEvent: ErrorEvent
}

/** A key with which applications send errors. */
export interface ErrorTrackingClientKey {
  /** Unique on the instance. */
  id: number
  /** Id of the project. */
  projectId: number
  /** Whether the key is accepted. */
  active: boolean
  /** The key: it permits to send errors, and nothing else. */
  publicKey: string
}
