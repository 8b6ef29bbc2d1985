import type { IncomingMessage } from 'node:http'
import type { MemoryAccount } from '@forgelet/core'
import type { BodyLimit } from './body-limits.ts'

/** The host's own request object: an `IncomingMessage` under node:http, a `Request` under `fetch`. */
export type HostRequest = IncomingMessage | Request

/** One request, independent of the transport. */
export interface IncomingRequest {
  /** The method as sent: `GET`. */
  readonly method: string
  /** Path and query as sent: `/api/v4/projects/acme%2Fweb/labels?page=2`. */
  readonly target: string
  /** Identifies the request in headers and log lines. */
  readonly requestId: string
  /** The client's IP address; undefined where there is no connection. */
  readonly ipAddress?: string | undefined
  /** Whether a trusted proxy reported the IP address. */
  readonly addressTrusted?: boolean
  /** The URL that the client requested, as a trusted proxy reports it; for links when no base URL is configured. */
  readonly site?: string | undefined
  /** Why the request is malformed; it is rejected with 400. */
  readonly malformed?: string | undefined
  /** Bytes of the body; undefined if they are unknown before it is read. */
  readonly bodySize: number | undefined
  /** The request as the host passed it in. */
  readonly hostRequest: HostRequest
  /** Tokens by username of the users that a test server offers to sign in as on its pages. */
  readonly signInUsers?: Readonly<Record<string, string>>
  /** A header, by its name in lower case; undefined when omitted. */
  header(name: string): string | undefined
  /** A signal that aborts when the client disconnects. */
  readonly signal?: () => AbortSignal
  /** Limits the content that the reply holds in memory. Omitted where there is no connection. */
  readonly memory?: MemoryAccount
  /** All headers, with names in lower case. */
  headers(): Readonly<Record<string, string>>
  /**
   * The whole body. Called at most once, and only for existing routes.
   *
   * @throws BodyTooLargeError above the limit
   */
  body(limit: BodyLimit): Uint8Array | Promise<Uint8Array>
  /** The body in chunks, without a limit; instead of `body`. */
  stream(): AsyncIterable<Uint8Array>
}
