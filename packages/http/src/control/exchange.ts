/** The request or the response of an exchange, without secrets and with a truncated body. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Bytes of the whole body; null for a stream, which is not recorded. */
  readonly size: number | null
  /** Whether the recorded body is shorter than the whole one. */
  readonly truncated: boolean
}

/** A request and its response. */
export interface Exchange {
  /** Counts from 1, in the order of the responses. */
  readonly id: number
  /** Time of the world's clock, ISO 8601. */
  readonly at: string
  readonly method: string
  /** As sent, without the query. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  /** `POST /api/v4/projects/:id/labels` */
  readonly route: string | null
  /** `labels.create` */
  readonly operation: string | null
  /** Username of the authenticated caller; null for anonymous and unknown callers. */
  readonly caller: string | null
  /** Why the platform rejected the request, in more detail than the response; null otherwise. */
  readonly refusal: string | null
  /** Sent parameters that GitLab documents and that have no effect. */
  readonly unsupported: readonly string[]
  /** Null if the connection was cut. */
  readonly status: number | null
  readonly milliseconds: number
  readonly requestId: string
  /** The id of the fault that affected it. */
  readonly fault: number | null
  readonly request: Message
  readonly response: Message
}
