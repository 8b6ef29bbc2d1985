import { Readable } from 'node:stream'
import { type Clock, isPlatformError } from '@forgelet/core'
import type { Middleware } from '../app/middleware.ts'
import type { Reply } from '../reply/reply.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { splitTarget } from '../request/target.ts'
import type { Message } from './exchange.ts'
import { ConnectionCutError } from './fault-reply.ts'
import { faultHeader } from './faults.ts'
import type { WritableJournal } from './journal.ts'
import { readCredentials, redactHeaders, redactText, type TextSource } from './redaction.ts'
import { resolveRequest } from './request-matcher.ts'
import { findSecretFields } from './secret-fields.ts'

/**
 * Why the platform rejected a call. Responses of the API contain less: they name neither the permitted users nor the scopes.
 *
 * @param caller the username; null for an anonymous caller
 */
const explainRefusal = (error: unknown, caller: string | null): string | null => {
  if (!isPlatformError(error)) return null
  const { code, message, scopes = [] } = error
  if (code === 'not_found') return `${message}, or is not visible to ${caller ?? 'anonymous callers'}`
  return code === 'insufficient_scope' ? `${message}; sufficient: ${scopes.join(', ')}` : message
}

/** Characters redacted beyond the recorded part, so that truncation leaves no part of a secret. */
const redactionMargin = 4_096

const toBoundedText = (bytes: Uint8Array | string, limit: number): string =>
  typeof bytes === 'string'
    ? bytes.slice(0, limit)
    : Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, limit)).toString()

const formatOf = (contentType: string | undefined): TextSource['format'] => {
  if (contentType?.includes('x-www-form-urlencoded')) return 'form'
  return contentType?.startsWith('multipart/') ? 'multipart' : undefined
}

/** Records every request and its reply in the journal. */
export const recordExchanges =
  (journal: WritableJournal, clock: Clock): Middleware =>
  (next) =>
  async (request) => {
    const start = performance.now()
    const at = new Date(clock.now()).toISOString()
    let requestBody: Uint8Array = new Uint8Array()
    const recordedRequest: IncomingRequest = {
      ...request,
      async body(limit) {
        requestBody = await request.body(limit)
        return requestBody
      },
    }
    const credentials = readCredentials(request.header)
    const isSecret = findSecretFields(splitTarget(request.target).path)
    const recordBody = (bytes: Uint8Array | string, contentType?: string) => {
      const limit = journal.bodySize + redactionMargin
      const source = { credentials, isSecret, format: formatOf(contentType) }
      const text = redactText(toBoundedText(bytes, limit), source)
      const truncated = bytes.length > limit || text.length > journal.bodySize
      return { body: text.slice(0, journal.bodySize), size: Buffer.byteLength(bytes), truncated }
    }

    const write = (reply: Reply | undefined, fault: number | null) => {
      const { method, target, requestId } = request
      const { path, query } = splitTarget(target)
      const { route, operation } = resolveRequest(method, target)
      const log = reply?.log ?? {}
      const caller = log.username ?? null
      const refusal = explainRefusal(log.error, caller)
      journal.write({
        at,
        method,
        path: redactText(path, { credentials }),
        query: redactText(query, { credentials, isSecret, format: 'form' }),
        // Repositories and endpoints of operators have no entry in the table of routes.
        route: route ?? (log.route === undefined ? null : `${method} ${log.route}`),
        operation: operation ?? log.operation ?? null,
        caller,
        refusal: refusal === null ? null : redactText(refusal, { credentials }),
        unsupported: log.unsupported ?? [],
        status: reply?.status ?? null,
        milliseconds: Math.round((performance.now() - start) * 1_000) / 1_000,
        requestId,
        fault,
        request: {
          headers: redactHeaders(request.headers()),
          ...recordBody(requestBody, request.header('content-type')),
        },
        response: reply ? toRecordedResponse(reply, recordBody) : { headers: {}, ...recordBody('') },
      })
    }

    try {
      const reply = await next(recordedRequest)
      const fault = reply.headers?.[faultHeader]
      write(reply, fault === undefined ? null : Number(fault))
      return reply
    } catch (error) {
      if (error instanceof ConnectionCutError) write(undefined, error.fault)
      throw error
    }
  }

const toRecordedResponse = (
  { headers = {}, bytes = '' }: Reply,
  recordBody: (bytes: Uint8Array | string) => Omit<Message, 'headers'>,
): Message => {
  const safeHeaders = redactHeaders(headers)
  if (bytes instanceof Readable) return { headers: safeHeaders, ...recordBody(''), size: null }
  return { headers: safeHeaders, ...recordBody(bytes) }
}
