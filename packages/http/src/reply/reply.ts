import type { Readable } from 'node:stream'
import type { Page } from '@forgelet/core'
import type { RequestLog } from '../request/request-log.ts'
import type { ReadItem } from './page-body.ts'

/** A reply, independent of the transport. */
export interface Reply {
  readonly status: number
  /** Sent as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Values of `Set-Cookie` headers, each of which is sent separately. */
  readonly cookies?: readonly string[]
  /** Sent instead of `body`; strings as UTF-8. The headers must have the content type. */
  readonly bytes?: Uint8Array | Readable | string
  /** Bytes in memory that a stream in `bytes` is made of. */
  readonly heldBytes?: number | undefined
  /** Whether clients can request a part of `bytes`. */
  readonly hasRanges?: boolean
  /** The page of a list, for the paging headers. */
  readonly page?: Page<unknown>
  /** Reads an item of the page again; without it, a page is sent as a whole. */
  readonly readItem?: ReadItem | undefined
  /** For the log line and the metrics; not sent. */
  readonly log?: RequestLog | undefined
}

/** Statuses without a response body. */
export const statusesWithoutBody: ReadonlySet<number> = new Set([204, 205, 304])
