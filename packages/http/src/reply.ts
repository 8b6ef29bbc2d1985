import type { Readable } from 'node:stream'
import type { Page } from '@forgelet/core'

/** What leaves the server. A body that is an object is sent as JSON. */
export interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Bytes instead of JSON, or text that leaves as UTF-8; the headers then say what they are. */
  readonly bytes?: Uint8Array | Readable | string
  /** For lists: what the paging headers say. */
  readonly page?: Page<unknown>
}
