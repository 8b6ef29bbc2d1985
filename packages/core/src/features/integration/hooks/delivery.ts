/** What a receiver answered, or why no answer arrived. */
export interface DeliveryResult {
  /** Headers of the request; secret values are replaced. */
  readonly requestHeaders: Readonly<Record<string, string>>
  /** Status of the response; null without a response. */
  readonly status: number | null
  /** Headers of the response; empty without a response. */
  readonly responseHeaders: Readonly<Record<string, string>>
  /** Start of the body of the response, or the reason why there is none. */
  readonly responseBody: string
  /** Seconds from the start of the request to the end of the response. */
  readonly duration: number
}

/** A request that was sent to a hook. */
export interface HookDelivery {
  /** Unique on the instance; later deliveries have greater ids. */
  id: number
  /** URL of the hook; user and password are masked with asterisks. */
  url: string
  /** Kind of the event, such as `push_hooks`. */
  trigger: string
  /** Headers of the request; the values of the token and of custom headers are replaced with `[REDACTED]`. */
  requestHeaders: Readonly<Record<string, string>>
  /** Data of the event: the body of the request, unless the hook has a template. */
  requestData: Readonly<Record<string, unknown>>
  /** Headers of the response; empty without a response. */
  responseHeaders: Readonly<Record<string, string>>
  /** First 8,192 bytes of the response, or the reason why there is none. */
  responseBody: string
  /** Seconds that the request took. */
  executionDuration: number
  /** Status of the response; `internal error` without one, `blocked` if nothing was sent to end a loop. */
  responseStatus: string
  /** When the event happened: ISO 8601, UTC, with milliseconds. */
  createdAt: string
}

/** The body of a request, in the names of the wire format. */
export type HookPayload = Readonly<Record<string, unknown>>

/** The response to a request that was sent again. */
export interface ResendResult {
  /** Status of the response, or `internal error` without one. */
  responseStatus: string
}

/** The response to a test. */
export interface TestResult extends ResendResult {
  /** Data of the event. */
  requestData: HookPayload
}
